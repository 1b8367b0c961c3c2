extension NATSCluster {
  /// A library to be preloaded (ld.so(8)) that makes a server's clock an hour
  /// fast.
  ///
  /// A program in Go asks the kernel's vdso(7) for the time, past the C library,
  /// so that faketime(1) does nothing to it: the vdso's own code is replaced.
  package func makeFastClock() async throws -> String {
    folder.write("clock.c", Self.clock)
    let path = "\(folder.path)/clock.so"
    let built = await Program.run(
      "clang -O2 -shared -fPIC -o \(quoted(path)) \(quoted(folder.path))/clock.c")
    guard built.status == 0 else { throw RealServer.NotStarted(log: built.errorText) }
    return path
  }

  private static let clock = """
    #define _GNU_SOURCE
    #include <elf.h>
    #include <string.h>
    #include <sys/auxv.h>
    #include <sys/mman.h>
    #include <sys/syscall.h>
    #include <time.h>

    #ifdef __x86_64__
    #define NAME "__vdso_clock_gettime"
    /* mov rax, the function; jmp rax */
    static const unsigned char jump[] = {0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xE0};
    #define PLACE 2
    static long ask(long clock, struct timespec *time) {
      long result;
      __asm__ volatile("syscall" : "=a"(result)
                       : "a"(SYS_clock_gettime), "D"(clock), "S"(time) : "rcx", "r11", "memory");
      return result;
    }
    #else
    #define NAME "__kernel_clock_gettime"
    /* ldr x16, the function; br x16 */
    static const unsigned char jump[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1F, 0xD6,
                                         0, 0, 0, 0, 0, 0, 0, 0};
    #define PLACE 8
    static long ask(long clock, struct timespec *time) {
      register long number __asm__("x8") = SYS_clock_gettime;
      register long result __asm__("x0") = clock;
      register void *place __asm__("x1") = time;
      __asm__ volatile("svc 0" : "+r"(result) : "r"(number), "r"(place) : "memory");
      return result;
    }
    #endif

    static long fast(long clock, struct timespec *time) {
      long result = ask(clock, time);
      if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += 3600;
      return result;
    }

    __attribute__((constructor)) static void replace(void) {
      unsigned char *image = (void *)getauxval(AT_SYSINFO_EHDR);
      if (!image) return;
      Elf64_Phdr *part = (void *)(image + ((Elf64_Ehdr *)image)->e_phoff);
      Elf64_Dyn *entry = 0;
      for (int i = 0; i < ((Elf64_Ehdr *)image)->e_phnum; i++)
        if (part[i].p_type == PT_DYNAMIC) entry = (void *)(image + part[i].p_offset);
      Elf64_Sym *symbol = 0;
      const char *names = 0;
      for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB) symbol = (void *)(image + entry->d_un.d_ptr);
        if (entry->d_tag == DT_STRTAB) names = (void *)(image + entry->d_un.d_ptr);
      }
      /* The names lie behind the symbols. */
      for (; symbol && names && (char *)symbol < names; symbol++) {
        if (strcmp(names + symbol->st_name, NAME)) continue;
        unsigned char *code = image + symbol->st_value;
        void *page = (void *)((unsigned long)code & ~4095ul), *target = (void *)fast;
        mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
        memcpy(code, jump, sizeof jump);
        memcpy(code + PLACE, &target, sizeof target);
        __builtin___clear_cache((char *)code, (char *)code + sizeof jump);
      }
    }
    """
}
