import { z } from "zod/mini";
import { ownErrorHeader } from "../../src/engine/studio-headers.ts";
import { type Finding, missing, note, ok } from "./finding.ts";

/** A project as its visitors see it. */
export interface Project {
  /** Such as https://<ref>.supabase.co, without a slash at the end. */
  url: string;
  key: string;
  /** Where the studio's site is, without a slash at the end. */
  site?: string | undefined;
  /** Names of the edge functions that it should have. */
  functions: readonly string[];
  /** The id of the key with which workers sign, where they have one. */
  signingKeyId?: string | undefined;
}

interface Answer {
  status: number;
  headers: Headers;
  /** Its JSON; undefined where it is none. */
  body: unknown;
}

const patienceMs = 20_000;

/** The first half of a project's host, by which the Supabase CLI knows it. */
const refOf = ({ url }: Project) => new URL(url).hostname.split(".")[0] ?? "";

/** Asks one address; null when nothing answers. */
async function ask(project: Project, path: string, init: RequestInit = {}): Promise<Answer | null> {
  try {
    const response = await fetch(`${project.url}${path}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
      ...init,
      headers: { apikey: project.key, ...init.headers },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const settingsSchema = z.object({
  external: z.looseObject({ email: z.optional(z.boolean()), anonymous_users: z.optional(z.boolean()) }),
  disable_signup: z.optional(z.boolean()),
  mailer_autoconfirm: z.optional(z.boolean()),
});

/** Everything that can be seen of a project with its publishable key. It changes nothing there. */
export async function checkProject(project: Project): Promise<Finding[]> {
  const answer = await ask(project, "/auth/v1/settings");
  if (answer === null) {
    return [
      missing(
        `Nothing answers at ${project.url}.`,
        "Check the address (Project Settings → Data API). A project that was paused is restored in the dashboard.",
      ),
    ];
  }
  if (answer.status === 401 || answer.status === 403) {
    return [
      missing("The project does not take the key.", "Copy the publishable key from Project Settings → API keys."),
    ];
  }
  const settings = settingsSchema.safeParse(answer.body);
  if (!settings.success) {
    return [missing(`What answers at ${project.url} is no Supabase project.`, "Check the address.")];
  }
  const rest = await Promise.all([
    checkTables(project),
    checkPrivateSchema(project),
    checkFunctions(project),
    checkOrigin(project),
    checkLinks(project),
    checkSigningKeys(project),
  ]);
  return [...signInFindings(settings.data), ...rest.flat()];
}

function signInFindings({ external, disable_signup, mailer_autoconfirm }: z.infer<typeof settingsSchema>): Finding[] {
  const providers = "Authentication → Sign In / Providers";
  return [
    external.email === false
      ? missing("People cannot sign in by e-mail and password.", `${providers} → Email: enable it.`)
      : ok("People sign in by e-mail and password."),
    external.anonymous_users === true
      ? ok("Guests may try the studio without an account.")
      : note("There are no guests.", `If you want them: ${providers} → Allow anonymous sign-ins.`),
    disable_signup === true
      ? note("New accounts are not taken.", `If anybody may join: ${providers} → Allow new users to sign up.`)
      : ok("New accounts are taken."),
    mailer_autoconfirm === true
      ? note(
          "Nobody confirms an address, so people can sign up with those of others.",
          `${providers} → Email → Confirm email.`,
        )
      : note(
          "New accounts confirm their address by mail.",
          "Supabase's own mail server writes to members of your team alone, a few mails an hour: Authentication → Emails → SMTP Settings.",
        ),
  ];
}

const codeOf = (body: unknown): string => {
  const found = z.object({ code: z.string() }).safeParse(body);
  return found.success ? found.data.code : "";
};

async function checkTables(project: Project): Promise<Finding[]> {
  const answer = await ask(project, "/rest/v1/studio_workflows?select=id&limit=1");
  const push = `npx supabase link --project-ref ${refOf(project)}\nnpx supabase db push --linked`;
  if (answer === null) return [missing("The Data API does not answer.", "Project Settings → Data API: enable it.")];
  const code = codeOf(answer.body);
  if (code === "42501") return [ok("The tables are there, and closed to whoever is not signed in.")];
  if (code === "PGRST205" || code === "42P01") return [missing("The studio's tables are not there.", push)];
  if (code === "PGRST106") {
    return [
      missing(
        "The Data API does not serve the schema public.",
        "Project Settings → Data API → Exposed schemas: add public.",
      ),
    ];
  }
  if (answer.status === 200 && isSecret(project.key)) return [ok("The tables are there.")];
  if (answer.status === 200) {
    return [
      missing(
        "The tables are open to whoever is not signed in.",
        `A grant was added by hand. Take it back, then:\n${push}`,
      ),
    ];
  }
  return [
    missing(
      `The Data API answers with ${answer.status} ${code}.`.replace(" .", "."),
      "Project Settings → Data API shows its state.",
    ),
  ];
}

/** Secret keys pass row level security, so an open table says nothing then. */
function isSecret(key: string): boolean {
  if (key.startsWith("sb_secret_")) return true;
  const claims = parsed(Buffer.from(key.split(".")[1] ?? "", "base64url").toString());
  return z.object({ role: z.literal("service_role") }).safeParse(claims).success;
}

async function checkPrivateSchema(project: Project): Promise<Finding[]> {
  const headers = { "accept-profile": "private" };
  const answer = await ask(project, "/rest/v1/studio_credential_secrets?limit=1", { headers });
  if (answer === null) return [];
  return codeOf(answer.body) === "PGRST106"
    ? [ok("The schema private is not served.")]
    : [
        missing(
          "The Data API serves the schema private.",
          "Project Settings → Data API → Exposed schemas: remove private.",
        ),
      ];
}

type FunctionState = "serves" | "not deployed" | "guarded" | "fails";

async function functionState(project: Project, name: string): Promise<FunctionState> {
  const answer = await ask(project, `/functions/v1/${name}`, { method: "POST", body: "{}" });
  if (answer === null) return "fails";
  const isOwn =
    answer.headers.get(ownErrorHeader) === "1" ||
    (answer.headers.get("content-type") ?? "").startsWith("application/problem+json");
  if (isOwn && answer.status < 500) return "serves";
  if (answer.status === 404) return "not deployed";
  return answer.status === 401 ? "guarded" : "fails";
}

async function checkFunctions(project: Project): Promise<Finding[]> {
  const states = await Promise.all(
    project.functions.map(async (name) => ({ name, state: await functionState(project, name) })),
  );
  const named = (wanted: FunctionState) => states.filter(({ state }) => state === wanted).map(({ name }) => name);
  const deploy = `npm run deploy-functions -- --project-ref ${refOf(project)}`;
  const hows: Record<FunctionState, [what: string, how: string]> = {
    serves: ["", ""],
    "not deployed": ["Functions are not deployed", deploy],
    guarded: [
      "The gateway asks for a token before functions do",
      `They were deployed without supabase/config.toml. ${deploy}`,
    ],
    fails: [
      "Functions fail",
      "Edge Functions → Logs says why. They need all migrations, and CREDENTIALS_KEYS and CREDENTIALS_KEY_VERSION set as docs/deploy.md says: npx supabase secrets list.",
    ],
  };
  const findings = (["not deployed", "guarded", "fails"] as const).flatMap((state) => {
    const names = named(state);
    return names.length === 0 ? [] : [missing(`${hows[state][0]}: ${names.join(", ")}.`, hows[state][1])];
  });
  return findings.length > 0 ? findings : [ok(`All ${states.length} functions answer.`)];
}

async function checkOrigin(project: Project): Promise<Finding[]> {
  if (project.site === undefined) return [];
  const { origin } = new URL(project.site);
  const headers = { origin, "access-control-request-method": "POST" };
  const answer = await ask(project, "/functions/v1/credentials", { method: "OPTIONS", headers });
  return answer?.headers.get("access-control-allow-origin") === origin
    ? [ok(`Pages of ${origin} may call the functions.`)]
    : [missing(`Pages of ${origin} may not call the functions.`, `npx supabase secrets set ALLOWED_ORIGIN=${origin}`)];
}

/** A link of a mail that is no longer good leads to where a good one does, with the error behind it. */
async function checkLinks(project: Project): Promise<Finding[]> {
  if (project.site === undefined) return [];
  const target = `${project.site}/`;
  const query = new URLSearchParams({ token: "0".repeat(56), type: "recovery", redirect_to: target });
  const answer = await ask(project, `/auth/v1/verify?${query}`);
  const location = answer?.headers.get("location") ?? "";
  if (location.startsWith(target)) return [ok(`Links in mails lead to ${target}.`)];
  const how = `Authentication → URL Configuration: Site URL ${project.site}, Redirect URLs ${project.site}/**`;
  if (!URL.canParse(location)) return [note(`Whether links in mails lead to ${target} cannot be seen.`, how)];
  return [missing(`Links in mails lead to ${new URL(location).origin}, not to ${target}.`, how)];
}

const keysSchema = z.object({
  keys: z.array(z.looseObject({ kid: z.optional(z.string()), alg: z.optional(z.string()) })),
});

async function checkSigningKeys(project: Project): Promise<Finding[]> {
  const found = keysSchema.safeParse((await ask(project, "/auth/v1/.well-known/jwks.json"))?.body);
  const keys = found.success ? found.data.keys : [];
  const { signingKeyId } = project;
  if (signingKeyId !== undefined && !keys.some(({ kid }) => kid === signingKeyId)) {
    return [
      missing(
        `The project does not know the key ${signingKeyId}, with which workers sign.`,
        "Project Settings → JWT keys: import it as standby key, then rotate the keys.",
      ),
    ];
  }
  if (keys.length > 0) return [ok(`Tokens are signed with ${[...new Set(keys.map(({ alg }) => alg))].join(" and ")}.`)];
  return [
    note(
      "Tokens are signed with the legacy secret.",
      "Workers take it in SUPABASE_JWT_SECRET, and functions check tokens faster with the secret JWT_SECRET. Or move to a key: Project Settings → JWT keys.",
    ),
  ];
}
