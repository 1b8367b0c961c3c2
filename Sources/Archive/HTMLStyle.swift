/// How the page looks.
enum HTMLStyle {
  /// The SHA-256 of ``sheet`` in base 64, by which the page's policy allows it.
  static let digest = "sLyQedzEtmONsxWe7zrbaiCIVCCZoylWyovlHagrZE8="

  /// The class that has the colour of a profile, the same in every export.
  static func colorClass(ofProfile id: String) -> String {
    // FNV-1a in 32 bits (draft-eastlake-fnv).
    let hash = id.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return "c\(hash % 12)"
  }

  /// The style sheet: light and dark, from the width of a phone up, and paper.
  static let sheet = """

    :root {
      color-scheme: light dark;
      --page: #e8ecf1; --ink: #17202b; --faint: #5a6675; --line: #cfd6df;
      --bubble: #ffffff; --own: #cfe4ff; --chip: #ffffff; --link: #0b57b0;
      --name: 27%; --face: 88%;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #12161c; --ink: #e7ebf0; --faint: #98a4b3; --line: #2f3844;
        --bubble: #232a34; --own: #1d4673; --chip: #2d3642; --link: #8fc1ff;
        --name: 74%; --face: 26%;
      }
    }
    * { box-sizing: border-box; margin: 0; padding: 0; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body {
      max-width: 46rem; margin: 0 auto; padding: 0 .75rem 2rem;
      background: var(--page); color: var(--ink);
      font: 1rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Apple SD Gothic Neo",
        "Malgun Gothic", "Noto Sans KR", "Noto Sans CJK KR", sans-serif;
    }
    a { color: var(--link); }
    h1 {
      padding: 1.25rem 0 .5rem; font-size: 1.25rem; line-height: 1.3; text-align: center;
      overflow-wrap: anywhere;
    }
    h2 {
      display: flex; align-items: center; gap: .75rem; margin: 1.5rem 0 1rem;
      color: var(--faint); font-size: .8125rem; font-weight: 500;
    }
    h2::before, h2::after { content: ""; flex: 1; height: 1px; background: var(--line); }
    .none { padding: 3rem 0; color: var(--faint); text-align: center; }
    .heard {
      position: absolute; width: 1px; height: 1px; overflow: hidden;
      clip-path: inset(50%); white-space: nowrap;
    }
    .run { position: relative; margin-bottom: .875rem; }
    .other { padding-left: 2.875rem; }
    .face {
      position: absolute; top: 0; left: 0; width: 2.25rem; height: 2.25rem;
      border-radius: .875rem; background: hsl(var(--hue) 45% var(--face));
      color: hsl(var(--hue) 55% var(--name)); font-size: 1rem; font-weight: 600;
      line-height: 2.25rem; text-align: center; overflow: hidden;
      -webkit-user-select: none; user-select: none;
    }
    .c0 { --hue: 4; } .c1 { --hue: 28; } .c2 { --hue: 48; } .c3 { --hue: 78; }
    .c4 { --hue: 110; } .c5 { --hue: 145; } .c6 { --hue: 172; } .c7 { --hue: 198; }
    .c8 { --hue: 222; } .c9 { --hue: 252; } .c10 { --hue: 288; } .c11 { --hue: 325; }
    article { position: relative; margin-bottom: .25rem; scroll-margin-top: 1rem; }
    .name { font-size: .8125rem; line-height: 1.4; overflow-wrap: anywhere; }
    .other .name { padding-left: .25rem; color: hsl(var(--hue) 55% var(--name)); }
    .own .name { text-align: right; }
    .name bdi:not(.heard) { display: inline-block; margin-bottom: .1875rem; font-weight: 600; }
    .name .room:not(.heard) {
      padding: 0 .4375rem; border: 1px solid var(--line); border-radius: 1rem;
      color: var(--faint); font-size: .75rem; font-weight: 400;
    }
    .row { display: flex; align-items: flex-end; gap: .375rem; }
    .own .row { flex-direction: row-reverse; }
    .bubble {
      min-width: 0; max-width: min(32rem, 100% - 4.75rem); padding: .4375rem .75rem;
      border-radius: 1.125rem; background: var(--bubble);
      overflow: clip; overflow-wrap: anywhere; unicode-bidi: isolate;
    }
    .own .bubble { background: var(--own); }
    .other article:first-of-type .bubble { border-top-left-radius: .3125rem; }
    .own article:first-of-type .bubble { border-top-right-radius: .3125rem; }
    .text { white-space: pre-wrap; unicode-bidi: plaintext; }
    .action { background: none; border: 1px solid var(--line); font-style: italic; }
    .own .action { background: none; }
    .gone { background: none; border: 1px dashed var(--line); color: var(--faint); }
    .own .gone { background: none; }
    blockquote {
      margin: .125rem 0 .375rem; padding-left: .5rem; border-left: .1875rem solid var(--faint);
      color: var(--faint); font-size: .875rem; line-height: 1.35;
    }
    .own blockquote { color: inherit; }
    blockquote cite { display: block; font-style: normal; font-weight: 600; }
    blockquote a { color: inherit; text-decoration: none; }
    blockquote a:hover, blockquote a:focus-visible { text-decoration: underline; }
    article:target .bubble { outline: .125rem solid var(--link); }
    .image { margin: .25rem -.375rem; }
    .image:first-child { margin-top: 0; }
    .image:last-child { margin-bottom: 0; }
    .image img {
      display: block; max-width: 100%; max-height: 24rem; height: auto; border-radius: .8125rem;
    }
    .file small { color: var(--faint); font-size: .8125rem; }
    .own .file small { color: inherit; }
    .side {
      display: flex; flex: none; flex-direction: column; align-items: flex-start;
      max-width: 4.5rem; padding-bottom: .125rem;
      color: var(--faint); font-size: .75rem; line-height: 1.3;
    }
    .own .side { align-items: flex-end; text-align: right; }
    .side time { white-space: nowrap; font-variant-numeric: tabular-nums; }
    article:has(+ .same) time {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
    }
    .reactions { display: flex; flex-wrap: wrap; gap: .25rem; margin: .1875rem 0 .375rem; }
    .own .reactions { justify-content: flex-end; }
    .reactions { list-style: none; }
    .reactions li {
      padding: .0625rem .5rem; border: 1px solid var(--line); border-radius: 1rem;
      background: var(--chip); font-size: .8125rem; line-height: 1.5;
    }
    @media print {
      :root {
        --page: #ffffff; --ink: #000000; --faint: #444444; --line: #bbbbbb;
        --bubble: #f2f3f5; --own: #dcebff; --chip: #ffffff; --link: #0b57b0;
        --name: 27%; --face: 90%;
      }
      body { max-width: none; padding: 0; font-size: 10.5pt; }
      article, .face { break-inside: avoid; print-color-adjust: exact; }
      .bubble { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
      h2 { break-after: avoid; }
      .image img { max-height: 9cm; }
    }

    """
}
