// The command line of `npm start` and `npm run dev`. Plain JavaScript without dependencies: it runs before the install.
import { resolve } from "node:path";

const defaultPort = 4700;

/** A mistake in how the command was called or in what it finds, told without a stack. */
export class LaunchError extends Error {
  constructor(message, hint) {
    super(message);
    this.hint = hint;
  }
}

export const help = `Usage: npm start -- [options]        (npm run dev -- [options] for hot reload)

  --port <number>   port to listen on; 0 takes a free one   (default ${defaultPort})
  --host <address>  address to listen on                    (default 127.0.0.1)
  --trust-proxy <addresses>
                    addresses or ranges of proxies in front of the studio, such as 127.0.0.1,10.0.0.0/8: visitors are
                    then told apart by X-Forwarded-For, and none of them counts as this machine's own person
  --name <names>    further host names under which the studio is reached, such as studio.example.com at a proxy in front;
                    separated by commas
  --tls-cert <file> certificate in PEM, with its chain: serve the studio encrypted
  --tls-key <file>  private key of the certificate
  --data <dir>      where database and keys live            (default .switchyard)
  --database <url>  keep the data on a PostgreSQL server with pgvector, and only the keys in --data, such as
                    postgres://studio:password@localhost:5432/studio; docs/postgres.md says how to set it up
  --sign-up <who>   who may create an account: open, invite or closed
                    (default open, and invite with --host or --trust-proxy; \`npm run invite\` makes an invite)
  --quota-rows, --quota-bytes, --quota-events, --quota-documents, --quota-uploads <number>
                    how much each user may keep, such as 500000, 500MB or 2GB; kept until changed
  --workers <number> processes that run published workflows; 0 runs none   (default 1)
  --backup-daily <folder>
                    back the data up into a new folder there once a day, as \`npm run data -- backup\` does; it has no keys.json:
                    keep a copy of that elsewhere
  --keep <number>   how many of these backups are kept      (default 7)
  --no-open         do not open a browser
  --help            show this text

Environment:
  STUDIO_ALLOW_HOSTS  private hosts that workflows may reach, such as "localhost:11434,192.168.1.20"
  HTTP_PROXY, HTTPS_PROXY
                      proxy through which workflows call the internet, such as "http://user:password@proxy.example.com:3128"
  NO_PROXY            what they call without it, such as "example.com,api.example.org:8443,203.0.113.0/24", or "*" for all
  NODE_EXTRA_CA_CERTS  file with further authorities (PEM) whose certificates count, such as your company's
  STUDIO_SMTP_URL     mail server that sends links for forgotten passwords, such as "smtps://user:password@mail.example.com"
  STUDIO_MAIL_FROM    sender of those mails, such as "studio@example.com"
  STUDIO_GALLERY      address of a list of templates, offered under "Templates from elsewhere"
  STUDIO_PRICES       address of a list of models with their prices in the form of models.dev, such as
                      "https://models.dev/api.json"; Settings then offers "Check for new prices"
  STUDIO_METRICS_TOKEN
                      opens /metrics in a studio that other machines can reach, to requests with "Authorization: Bearer <token>"
  STUDIO_OCR_DIRECTORY
                      where text recognition is installed (default .ocr in this folder); see npm run ocr -- --help
  STUDIO_TRUST_PROXY  as --trust-proxy
  STUDIO_DATABASE_URL  as --database; the password then stands in no list of processes
`;

/** Reads the arguments; throws LaunchError on one that is unknown or has no proper value. */
export function parseOptions(args, projectRoot) {
  const options = {
    port: defaultPort,
    host: "127.0.0.1",
    data: resolve(projectRoot, ".switchyard"),
    database: undefined,
    trustProxy: undefined,
    names: undefined,
    tls: undefined,
    signUp: undefined,
    quotas: {},
    backups: undefined,
    workers: 1,
    open: true,
    help: false,
  };
  const tls = {};
  const backups = {};
  const rest = args.flatMap((argument) => {
    const [, name, value] = /^(--[a-z-]+)=(.*)$/s.exec(argument) ?? [];
    return name === undefined ? [argument] : [name, value];
  });
  const valueOf = (name) => {
    const value = rest.shift();
    if (value === undefined || value === "" || value.startsWith("--")) {
      throw new LaunchError(`${name} needs a value.`, "`npm start -- --help` lists the options.");
    }
    return value;
  };
  while (rest.length > 0) {
    const argument = rest.shift();
    switch (argument) {
      case "--port":
        options.port = parsePort(valueOf(argument));
        break;
      case "--host":
        options.host = valueOf(argument);
        break;
      case "--data":
        options.data = resolve(callerDirectory(), valueOf(argument));
        break;
      case "--database":
        options.database = valueOf(argument);
        break;
      case "--trust-proxy":
        options.trustProxy = valueOf(argument);
        break;
      case "--name":
        options.names = valueOf(argument)
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(parseName);
        break;
      case "--tls-cert":
        tls.certificate = resolve(callerDirectory(), valueOf(argument));
        break;
      case "--tls-key":
        tls.key = resolve(callerDirectory(), valueOf(argument));
        break;
      case "--sign-up":
        options.signUp = parseSignUp(valueOf(argument));
        break;
      case "--quota-rows":
      case "--quota-bytes":
      case "--quota-events":
      case "--quota-documents":
      case "--quota-uploads":
        options.quotas[argument.slice("--quota-".length)] = parseAmount(argument, valueOf(argument));
        break;
      case "--workers":
        options.workers = parseWorkers(valueOf(argument));
        break;
      case "--backup-daily":
        backups.folder = resolve(callerDirectory(), valueOf(argument));
        break;
      case "--keep":
        backups.keep = parseKeep(valueOf(argument));
        break;
      case "--no-open":
        options.open = false;
        break;
      case "--help":
      case "-h":
        options.help = true;
        break;
      default:
        throw new LaunchError(`Unknown option ${argument}.`, "`npm start -- --help` lists the options.");
    }
  }
  if (tls.certificate || tls.key) {
    if (!tls.certificate || !tls.key) {
      throw new LaunchError("--tls-cert and --tls-key go together.", "Give both, or neither.");
    }
    options.tls = tls;
  }
  if (backups.folder) options.backups = { keep: 7, ...backups };
  else if (backups.keep)
    throw new LaunchError("--keep says how many daily backups are kept.", "Give --backup-daily <folder>, too.");
  return options;
}

function parsePort(text) {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) {
    throw new LaunchError(`${text} is not a port.`, "Give --port a number from 0 to 65535.");
  }
  return port;
}

function parseName(text) {
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) return text.toLowerCase();
  throw new LaunchError(
    `--name takes no ${text}.`,
    "Give it host names without scheme and port, such as studio.example.com.",
  );
}

function parseWorkers(text) {
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= 16) return count;
  throw new LaunchError(`--workers takes no ${text}.`, "Give it a number from 0 to 16.");
}

function parseKeep(text) {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= 1000) return count;
  throw new LaunchError(`--keep takes no ${text}.`, "Give it a number from 1 to 1000.");
}

function parseSignUp(text) {
  if (["open", "invite", "closed"].includes(text)) return text;
  throw new LaunchError(`--sign-up takes no ${text}.`, "Give it open, invite or closed.");
}

function parseAmount(name, text) {
  const [, digits, unit] = /^(\d{1,15})(KB|MB|GB)?$/i.exec(text) ?? [];
  const amount = Number(digits) * { KB: 1e3, MB: 1e6, GB: 1e9 }[unit?.toUpperCase()] || Number(digits);
  if (digits !== undefined && Number.isSafeInteger(amount)) return amount;
  throw new LaunchError(`${name} takes no ${text}.`, "Give it a whole number, such as 500000, 500MB or 2GB.");
}

/** npm changes to the project's directory first; a relative path means the one where the person typed it. */
function callerDirectory() {
  const { npm_lifecycle_event: script, INIT_CWD: typedIn } = process.env;
  return typedIn && ["start", "dev", "status", "invite", "reset-password", "publish", "runs"].includes(script)
    ? typedIn
    : process.cwd();
}
