// A prompt for trials and tests in a real terminal: shows the lines that come
// through the FIFO named by its argument, and echoes each entered line.
import Dispatch
import Glibc
import LinePrompt

setlocale(LC_ALL, "")
let demo = Demo(fifo: CommandLine.arguments.dropFirst().first)
demo.run()
dispatchMain()
