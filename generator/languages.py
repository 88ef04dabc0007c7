"""The language of a file for highlighting, by its suffix; Pygments' names."""

import posixpath

_BY_SUFFIX = {
    name: language
    for language, names in {
        "bash": ".sh .bash .zsh .ksh",
        "batch": ".bat .cmd",
        "c": ".c .h",
        "cmake": ".cmake CMakeLists.txt",
        "cpp": ".cc .cpp .cxx .hpp .hh .hxx .cu .cuh .inl",
        "csharp": ".cs",
        "css": ".css",
        "clojure": ".clj .cljs .cljc",
        "cython": ".pyx .pxd",
        "dart": ".dart",
        "docker": ".dockerfile Dockerfile",
        "elixir": ".ex .exs",
        "erlang": ".erl .hrl",
        "fsharp": ".fs .fsx",
        "go": ".go",
        "groovy": ".groovy .gradle",
        "haskell": ".hs",
        "html": ".html .htm",
        "ini": ".ini .cfg .conf",
        "java": ".java",
        "javascript": ".js .mjs .cjs .jsx",
        "json": ".json",
        "julia": ".jl",
        "kotlin": ".kt .kts",
        "lua": ".lua",
        "make": ".mk Makefile",
        "nix": ".nix",
        "objective-c": ".m .mm",
        "ocaml": ".ml .mli",
        "perl": ".pl .pm",
        "php": ".php",
        "powershell": ".ps1 .psm1",
        "protobuf": ".proto",
        "python": ".py .pyi .pyw",
        "r": ".r",
        "rst": ".rst",
        "ruby": ".rb .rake",
        "rust": ".rs",
        "scala": ".scala .sc",
        "sql": ".sql",
        "swift": ".swift",
        "terraform": ".tf",
        "toml": ".toml",
        "typescript": ".ts .mts .cts .tsx",
        "vb.net": ".vb",
        "xml": ".xml .xsd .xsl",
        "yaml": ".yaml .yml",
        "zig": ".zig",
    }.items()
    for name in names.split()
}

PLAIN = "text"


def language(file_path: str) -> str:
    """Pygments' name of the language of `file_path`; `text` where the suffix is unknown."""
    name = posixpath.basename(file_path)
    suffix = posixpath.splitext(name)[1].lower()
    return _BY_SUFFIX.get(name) or _BY_SUFFIX.get(suffix, PLAIN)
