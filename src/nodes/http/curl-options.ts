/** What an option of curl means here. */
export type CurlOption =
  | { kind: "method" | "header" | "data" | "raw" | "urlencode" | "json" | "user" | "url" }
  | { kind: "header-of"; header: string }
  | { kind: "secret"; what: string }
  | { kind: "flag"; flag: "get" | "head" }
  /** Has no meaning here, with or without a value of its own. */
  | { kind: "ignored"; takesValue: boolean }
  | { kind: "unsupported"; takesValue: boolean; what: string };

const ignored: CurlOption = { kind: "ignored", takesValue: false };
const ignoredValue: CurlOption = { kind: "ignored", takesValue: true };
const insecure: CurlOption = { kind: "unsupported", takesValue: false, what: "Certificates are always checked" };
const upload: CurlOption = { kind: "unsupported", takesValue: true, what: "Files and multipart forms cannot be sent" };

const byName: Readonly<Record<string, CurlOption>> = {
  request: { kind: "method" },
  header: { kind: "header" },
  data: { kind: "data" },
  "data-ascii": { kind: "data" },
  "data-raw": { kind: "raw" },
  "data-binary": { kind: "data" },
  "data-urlencode": { kind: "urlencode" },
  json: { kind: "json" },
  user: { kind: "user" },
  url: { kind: "url" },
  "user-agent": { kind: "header-of", header: "User-Agent" },
  referer: { kind: "header-of", header: "Referer" },
  cookie: { kind: "secret", what: "Cookie" },
  "oauth2-bearer": { kind: "secret", what: "Authorization" },
  get: { kind: "flag", flag: "get" },
  head: { kind: "flag", flag: "head" },
  insecure,
  form: upload,
  "form-string": upload,
  "upload-file": upload,
  cert: { kind: "unsupported", takesValue: true, what: "Client certificates cannot be sent" },
  key: { kind: "unsupported", takesValue: true, what: "Client certificates cannot be sent" },
  proxy: { kind: "unsupported", takesValue: true, what: "Proxies are not used" },
  "max-redirs": ignoredValue,
  output: ignoredValue,
  "max-time": ignoredValue,
  "connect-timeout": ignoredValue,
  retry: ignoredValue,
  "retry-delay": ignoredValue,
  "write-out": ignoredValue,
  cacert: ignoredValue,
  "cookie-jar": ignoredValue,
  "dump-header": ignoredValue,
  resolve: ignoredValue,
};

const longOf: Readonly<Record<string, string>> = {
  X: "request",
  H: "header",
  d: "data",
  u: "user",
  A: "user-agent",
  e: "referer",
  b: "cookie",
  G: "get",
  I: "head",
  k: "insecure",
  F: "form",
  T: "upload-file",
  E: "cert",
  x: "proxy",
  o: "output",
  m: "max-time",
  w: "write-out",
  c: "cookie-jar",
  D: "dump-header",
};

/** An option by its long name, without dashes. Unknown ones are taken for switches. */
export function longOption(name: string): CurlOption {
  return byName[name] ?? ignored;
}

/** An option by its letter. */
export function shortOption(letter: string): CurlOption {
  return longOption(longOf[letter] ?? "");
}

/** Whether the option's value is the next word, or the rest of this one. */
export function takesValue(option: CurlOption): boolean {
  switch (option.kind) {
    case "flag":
      return false;
    case "ignored":
    case "unsupported":
      return option.takesValue;
    default:
      return true;
  }
}
