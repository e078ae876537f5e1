import { z } from "zod/mini";
import { createAttemptCounts } from "./attempt-counts.ts";
import { authRefusal, authTooMany } from "./auth-answers.ts";
import type { InstanceKeys } from "../database/keys.ts";
import type { SendMail } from "./mailer.ts";
import { hashPassword, whyNoPassword } from "./new-password.ts";
import { createResetLink, readResetLink, resetLinkLasts } from "./reset-links.ts";
import type { CallAsService } from "../functions/service-calls.ts";
import { networkOf } from "./sign-in-limit.ts";

/** Mails that one account gets, and that one network asks for, within an hour. */
const mostMails = { toAccount: 3, fromNetwork: 20 };
const hourMs = 60 * 60_000;

const asking = z.looseObject({ email: z.email().check(z.maxLength(254)) });
const resetting = z.looseObject({ token: z.string().check(z.maxLength(2_000)), password: z.string() });

/** The two steps to a new password without the old one; `address` is where the request came from. */
export interface PasswordReset {
  /** Sends a link. The answer is the same, and as quick, whether or not there is an account. */
  askForLink(request: Request, address: string): Promise<Response>;
  /** Takes a link's token with the new password, once, and ends all sessions. Answers with the account's address. */
  reset(request: Request): Promise<Response>;
}

export function createPasswordReset(options: {
  keys: Pick<InstanceKeys, "jwtSecret">;
  callAsService: CallAsService;
  sendMail: SendMail | null;
  /** The origin that links lead to. */
  siteOf(request: Request): string;
  log: (line: string) => void;
  now?: () => number;
}): PasswordReset {
  const { keys, callAsService, sendMail, siteOf, log, now } = options;
  const toAccount = createAttemptCounts({ most: mostMails.toAccount, withinMs: hourMs, now });
  const fromNetwork = createAttemptCounts({ most: mostMails.fromNetwork, withinMs: hourMs, now });

  async function sendLink(email: string, site: string, send: SendMail): Promise<void> {
    const mark = await callAsService("studio_password_mark", { p_email: email });
    if (typeof mark !== "string") return;
    const link = await createResetLink(keys.jwtSecret, site, { email, mark });
    await send({ to: email, subject: "Choose a new password for Switchyard", text: words(link) });
  }

  return {
    async askForLink(request, address) {
      if (sendMail === null) return sendsNoMail();
      const asked = asking.safeParse(jsonOf(await request.text()));
      if (!asked.success)
        return authRefusal(400, "validation_failed", "Unable to validate email address: invalid format");
      const email = asked.data.email.toLowerCase();
      const waitMs = Math.max(fromNetwork.count(networkOf(address)), toAccount.count(email));
      if (waitMs > 0) return authTooMany(waitMs, "A link was asked for several times.");
      // Nobody waits for it, or the time would tell whether there is an account.
      void sendLink(email, siteOf(request), sendMail).catch((error: unknown) => {
        log(`A mail with a link for a new password was not sent: ${error instanceof Error ? error.message : error}`);
      });
      return Response.json({});
    },

    async reset(request) {
      const asked = resetting.safeParse(jsonOf(await request.text()));
      if (!asked.success) return authRefusal(400, "validation_failed", "A token and a new password are needed.");
      const { token, password } = asked.data;
      const link = await readResetLink(keys.jwtSecret, token);
      if (link === null) return usedUp();
      const refused = whyNoPassword(password);
      if (refused) return refused;
      const parameters = { p_email: link.email, p_mark: link.mark, p_password: await hashPassword(password) };
      const done = await callAsService("studio_reset_password", parameters);
      return done === null ? usedUp() : Response.json({ email: link.email });
    },
  };
}

/** As the auth API's clients read errors. */
export function sendsNoMail(): Response {
  const msg =
    "This installation sends no mail, so nobody signs in or resets a password by mail. Sign in with the password.";
  return authRefusal(422, "email_provider_disabled", msg);
}

function usedUp(): Response {
  return authRefusal(403, "otp_expired", "This link was used already, or has expired.");
}

function words(link: string): string {
  return [
    "Somebody, probably you, asked for a new password for your Switchyard account.",
    `Choose one here within ${resetLinkLasts}:`,
    link,
    "If it was not you, ignore this mail: your password stays as it is.",
    "",
  ].join("\n\n");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
