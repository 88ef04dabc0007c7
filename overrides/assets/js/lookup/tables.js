// Made by tests/lookup/make_tables.py from the modules in generator/lookup/: change those.

export const characters = {
  REPLACED: {"'": "\u2018\u2019\u201a\u201b\u2032\u00b4", "\"": "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "...": "\u2026", " ": "\t\u000b\f\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", "\n": "\u0085\u2028\u2029", "": "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"},
  RULES: [["\\r\\n?", "\n"], ["(?:\\x1b|\\\\x1b|\\\\033|\\\\u001b)\\[[0-?]*[ -\\/]*[@-~]", ""], ["\\x1b\\][^\\x07\\x1b\\n]{0,500}(?:\\x07|\\x1b\\\\)?", ""], ["\\x1b[@-Z\\\\^_a-z]?", ""], ["\\[(?:[0-9]{1,3};){0,4}[0-9]{1,3}m", ""]],
  MARKDOWN: [["\\[([^\\[\\]\\n]{0,500})\\]\\(https?:\\/\\/[^()\\[\\] \\n]{0,500}\\)", "$1"], ["\\*\\*([A-Za-z0-9_]{1,100})\\*\\*", "__$1__"], ["-{2,}(?=[A-Za-z])", "-"]],
  ENTITY: "&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos|nbsp));",
  NAMED: {"lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'", "nbsp": " "},
  ESCAPED: "\\\\([*#_`\\[\\]])",
  PATH: "\\\\[A-Za-z0-9.~]",
  REMOVED: [0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127, 128, 129, 130, 131, 132, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159],
};

export const cutting = {
  LEAST_HELD: 9,
  LEAST_PERCENT: 30,
  MANY: 30,
  LEAST_HELD_HERE: 4,
  LEAST_ALONE: 6,
};

export const evidence = {
  SAME_FILE: 2,
  RAISED_HERE: 16,
  PASSED_HERE: 10,
  SAME_NAME: 3,
  SAME_LINE: 4,
  COMMON_NAMES: ["__init__.py", "__main__.py", "api.py", "app.py", "base.py", "cli.py", "client.py", "common.py", "config.py", "core.py", "errors.py", "exceptions.py", "helpers.py", "index.js", "index.ts", "lib.rs", "main.c", "main.go", "main.js", "main.py", "main.rs", "mod.rs", "models.py", "server.py", "types.py", "util.py", "utils.go", "utils.js", "utils.py"],
};

export const filters = {
  HASHES: 4,
};

export const finding = {
  MOST_SHARDS: 32,
  LINES_A_SHARD: 4,
  LINES: 64,
  ALIKE: 60,
  LIMIT: 10,
};

export const frames = {
  BEFORE: ["\\\"?File \\\"([^\\\"\\n]{1,500})\\\", line ([0-9]{1,7})", "File ([^\\\"'<>|()\\[\\]{},;=]{0,300}\\.(?:py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim)):([0-9]{1,7})", "([^\\\"'<>|()\\[\\]{},;=]{0,300}\\.(?:py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim)):([0-9]{1,7})(?::[0-9]{1,5})?:? in ", "([^\\\"'<>|()\\[\\]{},;=]{0,300}\\.(?:py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim))(?:\\(([0-9]{1,7})\\))? in [A-Za-z_<]", "([^\\\"'<>|()\\[\\]{},;=]{0,300}\\.(?:py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim)):([0-9]{1,7}):$"],
  AFTER: ["at (?:[^()\\n]{0,300}\\()?(?:file:\\/\\/)?([^\\\"'<>|()\\[\\]{},;=]{0,300}\\.(?:py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim)):([0-9]{1,7})(?::[0-9]{1,5})?\\)?", "(?:from )?([^\\\"'<>|()\\[\\]{},;=]{0,300}\\.(?:py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim)):([0-9]{1,7})(?::[0-9]{1,5})?:? (?:in `|\\+0x[0-9a-f]+)", "#[0-9]{1,3} ([^\\\"'<>|()\\[\\]{},;=]{0,300}\\.(?:py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim))\\(([0-9]{1,7})\\)", "([^\\\"'<>|()\\[\\]{},;=]{0,300}\\.(?:py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim)):([0-9]{1,7}): [A-Z][A-Za-z0-9_.]{0,80}$"],
  LEADING: "([^\\\"'<>|()\\[\\]{},;=]{0,300}\\.(?:py|pyx|pxd|pyi|js|mjs|cjs|ts|tsx|jsx|java|kt|kts|scala|groovy|clj|go|rs|rb|php|cs|fs|vb|cpp|cc|cxx|c|h|hpp|cu|m|mm|swift|ex|exs|erl|lua|pl|pm|r|R|jl|dart|vue|svelte|hs|ml|zig|nim)):([0-9]{1,7})(?::[0-9]{1,5})?: ",
  LONGEST: 1000,
};

export const index = {
  FOLDER: "api/lookup/",
  FORMAT: 1,
};

export const keys = {
  NOT_LETTERS: "[^A-Za-z0-9]+",
};

export const lines = {
  TRACE: "Traceback \\(most recent call last\\)|^Stack ?trace:|^goroutine [0-9]+ |^stack backtrace:",
  CHAIN: "^(?:The above exception was the direct cause|During handling of the above exception)",
  MARK: "^(?:[\\^~ ]+|[-=_*#+ ]{2,}|\\.{3}(?:<[0-9]+ lines?>\\.{3})?)$",
  NUMBERED: "^(?:-+> *[0-9]{1,6}(?: |$)| {2,}[0-9]{1,6} (?= |[^0-9| ])|[ \\u2502]{0,9}[\\u276f\\u2771]? {0,9}[0-9]{1,6} \\u2502)",
  POINTED: "^> {4,}[^ ]",
  CAUSE: "(?:Caused by|\\[cause\\]|caused by): ",
  HEAD: "^((?:(?:(?:Caused by|\\[cause\\]|caused by): )|Uncaught (?:Exception )?|Unhandled exception[.:] |Exception in thread \\\"[^\\\"\\n]{0,80}\\\" |(?:[Ff]atal error|[Ff]atal|panic|[Ee]rror): (?=[A-Z])))?([A-Za-z_$][A-Za-z0-9_$]{0,99}(?:(?:\\.|::|\\\\)[A-Za-z_$<][A-Za-z0-9_$<>]{0,99}){0,12})(?: \\[[A-Z0-9_]{1,60}\\])?(?:: ?|$)",
  PLAIN_HEAD: "^(?:[Ff]atal error|[Ff]atal|panic|[Ee]rror)(?:\\[[A-Z][0-9]{1,5}\\])?: ",
  ENDING: "(?:Error|Exception|Warning|Fault|Failure|Failed|Exit|Interrupt|Timeout|Err|Expired|Denied|Refused|NotFound|Invalid|Mismatch|Undefined|Unavailable|Abort|Aborted|Conflict|Missing|Panic)$",
  PARTS: "[.:\\\\]+",
  CAMEL: "^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+$",
};

export const matching = {
  NEEDED: {"agrees": 12, "elsewhere": 20, "unknown": 22, "conflicts": 36},
  DOTS: "...",
  LEAST_ALIKE: 70,
  LEAST_ALIKE_HERE: 50,
  CLASS_POINTS: {"agrees": 10, "elsewhere": 4, "unknown": 0, "conflicts": -8},
  PLACEHOLDER: "^[furb]{0,2}[\\\"']?(?:\\{[A-Za-z_][A-Za-z0-9_.()\\[\\]!:*+\\/ -]{0,80}\\}|%[-0-9.]{0,6}[a-zA-Z]|%\\([A-Za-z0-9_]{1,40}\\)[a-z])[\\\"']?$",
  CODE: "(?:^|[^A-Za-z0-9_])(?:raise|throw|throws|new|return|assert|print|f\\\"|f')[^A-Za-z0-9_]|[({,] ?[furb]{0,2}[\\\"']$",
  LOUD: "ERROR|CRITICAL|FATAL|SEVERE|[Ee]xception|[Pp]anic|^error|^Error|^fatal|^E ",
  BEGINS: ":|]>)-=,;\"'`(*",
};

export const paste = {
  MESSAGE_LINES: 40,
  MOST_FRAMES: 40,
  SHORT: 12,
};

export const prefixes = {
  STAMPS: ["\\[?[0-9]{4}[-\\/.][0-9]{2}[-\\/.][0-9]{2}(?:[T _][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]{1,9})?(?:Z| ?[+-][0-9]{2}:?[0-9]{2}| UTC| GMT)?)?(?: [A-Z]{2}[A-Z0-9 ]{0,30})?\\]?(?= |$|[|:\\]])", "\\[?[0-9]{2}[-\\/][0-9]{2}(?:[-\\/][0-9]{2,4})?[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]{1,9})?(?:Z| ?[+-][0-9]{2}:?[0-9]{2}| UTC| GMT)?\\]?(?= |$|[|:])", "\\[?[0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]{1,9})?\\]?(?= |$|[|])", "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}[0-9]{1,2}(?: [0-9]{4})? [0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]{1,9})?(?: [A-Za-z0-9_.-]{1,64} [A-Za-z0-9_.\\/@-]{1,64}(?:\\[[0-9]+\\])?:)?", "[IWEF](?:[0-9]{4} [0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]{1,9})? +[0-9]+)? [A-Za-z0-9_.\\/-]{1,100}:[0-9]+\\]", "(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|SEVERE):[A-Za-z0-9_.-]{1,80}:", "\\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|SEVERE)\\]?(?: *[:|-])?(?= )"],
  MARKS: [">+(?= |$)", "E(?= {3})", "[\\u2500-\\u259f\\u276f\\u2771\\u25b6\\u23af]+", "\\|(?= |$)", "\\[[A-Za-z0-9_.:, \\/@#=-]{1,60}\\](?:<stderr>|<stdout>)?:?(?= |$|[A-Z<])", "\\((?:[A-Za-z][A-Za-z0-9_:. -]{0,60})?pid=[0-9]+[^()\\n]{0,60}\\)", "\\((?:raylet|autoscaler|dashboard|bundle_reservation_check_func)[^()\\n]{0,60}\\)", "[0-9]{1,6} ?[|\\u2502](?= |$)", "[0-9]{1,6}:(?= )", "[A-Za-z0-9][A-Za-z0-9_.-]{0,60} +\\|(?= |$)", "(?:stdout|stderr) [FP](?= )", "##\\[[a-z]+\\]", "::(?:error|warning|notice)[^:\\n]{0,200}::"],
  BETWEEN: ["[|:-]+(?= )", "[A-Za-z0-9_.]{1,80} - (?=(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|SEVERE))", "[A-Za-z0-9_.<>]{1,80}:[A-Za-z0-9_.<>]{1,80}:[0-9]+ -(?= )", "[A-Za-z0-9_.\\/-]{1,80}\\.(?:py|c|cc|cpp|go|rs|js|ts|java):[0-9]+(?:\\]|:| -)(?= )", "[0-9]{1,7}(?= (?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|SEVERE))"],
  BORDER: " \u2500\u2501\u2502\u2503\u2504\u2505\u2506\u2507\u2508\u2509\u250a\u250b\u250c\u250d\u250e\u250f\u2510\u2511\u2512\u2513\u2514\u2515\u2516\u2517\u2518\u2519\u251a\u251b\u251c\u251d\u251e\u251f\u2520\u2521\u2522\u2523\u2524\u2525\u2526\u2527\u2528\u2529\u252a\u252b\u252c\u252d\u252e\u252f\u2530\u2531\u2532\u2533\u2534\u2535\u2536\u2537\u2538\u2539\u253a\u253b\u253c\u253d\u253e\u253f\u2540\u2541\u2542\u2543\u2544\u2545\u2546\u2547\u2548\u2549\u254a\u254b\u254c\u254d\u254e\u254f\u2550\u2551\u2552\u2553\u2554\u2555\u2556\u2557\u2558\u2559\u255a\u255b\u255c\u255d\u255e\u255f\u2560\u2561\u2562\u2563\u2564\u2565\u2566\u2567\u2568\u2569\u256a\u256b\u256c\u256d\u256e\u256f\u2570\u2571\u2572\u2573\u2574\u2575\u2576\u2577\u2578\u2579\u257a\u257b\u257c\u257d\u257e\u257f\u2580\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588\u2589\u258a\u258b\u258c\u258d\u258e\u258f\u2590\u2591\u2592\u2593\u2594\u2595\u2596\u2597\u2598\u2599\u259a\u259b\u259c\u259d\u259e\u259f",
};

export const probing = {
  CRIES: "[Ee]rror|ERROR|[Ee]xception|[Ff]ail|FAIL|[Ff]atal|FATAL|[Pp]anic|[Cc]ritical|CRITICAL|[Ww]arn|WARN|[Ii]nvalid|[Cc]annot|[Uu]nable|[Uu]nexpected|[Rr]efused|[Dd]enied|[Mm]issing|not found|E:",
  FRAMES: 8,
  BEGINNINGS: 4,
};

export const quoted = {
  KEYED: "\\\"[A-Za-z0-9_.@-]{1,60}\\\" ?: ?\\\"",
  ESCAPES: {"n": "\n", "r": "\n", "t": " ", "b": "", "f": " "},
};

export const readings = {
  LONGEST: 6000,
  WRAPPED: 60,
  FULL: 50,
  LINES_BEFORE: 3,
  LINES_AFTER: 8,
  ESCAPED: "\\\\[nt\\\"']",
};

export const similar = {
  MOST_WORDS: 240,
  LEAST_SHARE: 60,
  LEAST_CUT: 35,
  LEAST_WORDS: 4,
  LEAST_TELLING: 2,
  WORDS_A_HOLE: 12,
};

export const stopwords = {
  STOPWORDS: ["a", "about", "after", "again", "all", "already", "also", "an", "and", "another", "any", "are", "as", "at", "be", "because", "been", "before", "being", "between", "both", "but", "by", "can", "cannot", "could", "did", "do", "does", "done", "during", "each", "either", "else", "error", "exception", "expected", "failed", "false", "file", "first", "for", "found", "from", "get", "given", "got", "had", "has", "have", "here", "how", "however", "if", "in", "input", "instead", "into", "invalid", "is", "it", "its", "itself", "just", "key", "last", "least", "less", "like", "line", "list", "make", "may", "more", "most", "must", "name", "need", "needs", "new", "no", "none", "not", "now", "number", "object", "of", "off", "on", "one", "only", "or", "other", "our", "out", "over", "own", "path", "please", "set", "should", "since", "so", "some", "string", "such", "sure", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "true", "try", "type", "under", "unknown", "until", "up", "use", "used", "using", "value", "values", "very", "via", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with", "within", "without", "would", "yet", "you", "your"],
};

export const tokens = {
  WORD: "[A-Za-z0-9_\\u00c0-\\u2dff\\ua4d0-\\uabff\\ufb00-\\ufefe]+|[\\u2e80-\\ua4cf\\uac00-\\ud7ff\\uf900-\\ufaff]",
  MAX_TOKEN: 64,
  MULTIPLIERS: [2654435761, 2246822519, 3266489917],
  SEEDS: [0, 668265263, 374761393, 3550635117],
};
