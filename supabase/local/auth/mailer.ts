import ipaddr from "ipaddr.js";
import { StartError } from "../start-error.ts";

/** Where mail goes out; both or neither. */
export interface MailSettings {
  /** `smtp://` (with STARTTLS) or `smtps://`, with user and password where the server wants them. */
  smtpUrl?: string | undefined;
  from?: string | undefined;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Hands a mail to the SMTP server. Throws when it does not take it. */
export type SendMail = (mail: Mail) => Promise<void>;

/** What hangs is given up after this long. */
const patienceMs = 20_000;

/**
 * A way to send mail, or null when none is configured. Throws StartError on settings that cannot work. What goes to another
 * machine goes encrypted or not at all.
 */
export function createMailer({ smtpUrl = "", from = "" }: MailSettings): SendMail | null {
  if (smtpUrl === "" && from === "") return null;
  const example =
    "such as STUDIO_SMTP_URL=smtps://user:password@mail.example.com and STUDIO_MAIL_FROM=studio@example.com.";
  if (smtpUrl === "" || from === "") {
    throw new StartError("STUDIO_SMTP_URL and STUDIO_MAIL_FROM go together.", `Set both, ${example}`);
  }
  const url = URL.canParse(smtpUrl) ? new URL(smtpUrl) : null;
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") {
    throw new StartError("STUDIO_SMTP_URL is not the address of a mail server.", `Write it ${example}`);
  }
  if (!/^[^\s@]+@[^\s@]+$|<[^\s@]+@[^\s@]+>$/.test(from)) {
    throw new StartError("STUDIO_MAIL_FROM is not an e-mail address.", `Write it ${example}`);
  }
  const secure = url.protocol === "smtps:";
  const options = {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !isThisMachine(url.hostname),
    ...(url.username === ""
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return async ({ to, subject, text }) => {
    const { createTransport } = await import("nodemailer");
    // An address is data: as an object it is never parsed as a list of several.
    await createTransport(options).sendMail({ from, to: { name: "", address: to }, subject, text });
  };
}

function isThisMachine(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || (ipaddr.isValid(name) && ipaddr.process(name).range() === "loopback");
}
