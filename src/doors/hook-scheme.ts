/** How a webhook proves who sends it. */
export const hookSchemes = [
  "none",
  "bearer",
  "standard",
  "github",
  "slack",
  "stripe",
  "telegram",
  "discord",
  "whatsapp",
] as const;

/** One of `hookSchemes`. */
export type HookScheme = (typeof hookSchemes)[number];

/** What a scheme needs and how its senders number their deliveries. */
interface SchemeFacts {
  title: string;
  /** Where the secret comes from: made here and shown once, entered as the sender gives it, or none. */
  secret: "made" | "entered" | "none";
  /** What the secret is called where it is set or found. */
  secretName: string;
  /**
   * What a signature covers: nothing, where a secret itself is sent; the body, so that whoever has seen a delivery can send it again
   * for ever; or the body and a time.
   */
  signs: "nothing" | "body" | "time";
  /** Headers that prove who sends; they never become a run's input. */
  proof: readonly string[];
  /** The header that numbers a delivery. */
  deliveryHeader?: string;
  /** The field of a JSON body that numbers a delivery; a path of names and places with dots between them. */
  deliveryField?: string;
}

/** The facts of each scheme. */
export const hookSchemeFacts: Record<HookScheme, SchemeFacts> = {
  none: { title: "None", secret: "none", secretName: "", signs: "nothing", proof: [] },
  bearer: { title: "Bearer token", secret: "made", secretName: "Token", signs: "nothing", proof: ["authorization"] },
  standard: {
    title: "Standard Webhooks",
    secret: "made",
    secretName: "Signing secret",
    signs: "time",
    proof: ["webhook-signature"],
    deliveryHeader: "webhook-id",
  },
  github: {
    title: "GitHub",
    secret: "made",
    secretName: "Secret",
    signs: "body",
    proof: ["x-hub-signature", "x-hub-signature-256"],
    deliveryHeader: "x-github-delivery",
  },
  slack: {
    title: "Slack",
    secret: "entered",
    secretName: "Signing secret",
    signs: "time",
    proof: ["x-slack-signature"],
    deliveryField: "event_id",
  },
  stripe: {
    title: "Stripe",
    secret: "entered",
    secretName: "Signing secret",
    signs: "time",
    proof: ["stripe-signature"],
    deliveryField: "id",
  },
  telegram: {
    title: "Telegram",
    secret: "made",
    secretName: "Secret token",
    signs: "nothing",
    proof: ["x-telegram-bot-api-secret-token"],
    deliveryField: "update_id",
  },
  discord: {
    title: "Discord",
    secret: "entered",
    secretName: "Public key",
    signs: "time",
    proof: ["x-signature-ed25519"],
    deliveryField: "id",
  },
  whatsapp: {
    title: "WhatsApp Cloud",
    secret: "entered",
    secretName: "App secret",
    signs: "body",
    proof: ["x-hub-signature", "x-hub-signature-256"],
    deliveryField: "entry.0.changes.0.value.messages.0.id",
  },
};

/** The names of headers that may hold a secret, whatever the scheme. */
const alwaysProof: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "apikey",
  "x-api-key",
]);

/** Whether a header could prove who sends, so that it must not become a run's input. */
export function provesSender(scheme: HookScheme, name: string): boolean {
  return alwaysProof.has(name) || hookSchemeFacts[scheme].proof.includes(name);
}

/**
 * What numbers a delivery, so that one that comes again is known: the scheme's own header or field. Where nothing is signed,
 * `idempotency-key` does as well; where something is, anybody could change that. Undefined where the sender does not say. `body`: the
 * body as JSON, if it is.
 */
export function deliveryOf(
  scheme: HookScheme,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): string | undefined {
  const { deliveryHeader, deliveryField, signs } = hookSchemeFacts[scheme];
  const named = deliveryHeader === undefined ? undefined : headers[deliveryHeader];
  const inside = deliveryField === undefined ? undefined : deliveryField.split(".").reduce(fieldOf, body);
  const number = named ?? (typeof inside === "string" || typeof inside === "number" ? String(inside) : undefined);
  const found = number ?? (signs === "nothing" ? (headers["idempotency-key"] ?? headers["webhook-id"]) : undefined);
  return found === undefined || found.trim() === "" ? undefined : found;
}

function fieldOf(value: unknown, name: string): unknown {
  const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isThere ? Reflect.get(value, name) : undefined;
}
