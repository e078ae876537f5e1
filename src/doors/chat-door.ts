import { z } from "zod/mini";

const colour = z.union([z.literal(""), z.string().check(z.regex(/^#[0-9a-f]{6}$/i, "A colour is written #rrggbb."))]);
const picture = z.union([
  z.literal(""),
  z
    .string()
    .check(
      z.maxLength(40_000, "The picture is too large."),
      z.regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/, "The picture is a PNG, JPEG or WebP."),
    ),
]);
const site = z.pipe(
  z.string().check(z.maxLength(200)),
  z.transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url !== null && /^https?:$/.test(url.protocol) && url.host !== "") return url.origin;
    context.issues.push({ code: "custom", message: "A site is written https://www.example.com.", input: text });
    return z.NEVER;
  }),
);

/** Who may talk: anybody, who knows the password, who has an account of this studio, or whom the embedding site vouches for. */
export const chatAccess = ["public", "password", "account", "signed"] as const;
export type ChatAccess = (typeof chatAccess)[number];

/** How a published workflow's chat page looks, whom it lets in and how much it takes. The password and the signing secret are kept apart. */
export const chatDoorConfig = z.object({
  access: z._default(z.enum(chatAccess), "public"),
  /** The workflow's name where it is empty. */
  title: z._default(z.string().check(z.trim(), z.maxLength(80)), ""),
  welcome: z._default(z.string().check(z.trim(), z.maxLength(500)), ""),
  placeholder: z._default(z.string().check(z.trim(), z.maxLength(80)), ""),
  picture: z._default(picture, ""),
  theme: z._default(z.enum(["system", "light", "dark"]), "system"),
  /** Empty: the studio's own. */
  accent: z._default(z.object({ light: z._default(colour, ""), dark: z._default(colour, "") }), {
    light: "",
    dark: "",
  }),
  questions: z._default(
    z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(300))).check(z.maxLength(4)),
    [],
  ),
  /** Whether visitors may send pictures. */
  attachments: z._default(z.boolean(), false),
  /** Whether they may send other files as well. */
  files: z._default(z.boolean(), false),
  /** Whether an answer names the tools that it used. Their arguments and results never leave the studio. */
  steps: z._default(z.enum(["hidden", "named"]), "hidden"),
  /** Origins of the sites that may show the page in a frame. */
  sites: z._default(z.array(site).check(z.maxLength(20)), []),
  /** Whether those sites may; they stay listed while they may not. */
  embedded: z._default(z.boolean(), true),
  /** What visitors read once the day's messages are used up. */
  closedMessage: z._default(z.string().check(z.trim(), z.maxLength(300)), ""),
  messageChars: z._default(z.int().check(z.minimum(1), z.maximum(20_000)), 4_000),
  /** Messages a minute from one address. */
  perMinute: z._default(z.int().check(z.minimum(1), z.maximum(600)), 20),
  /** Whether the browser of a new visitor has to solve a task before the first message, which makes many sessions costly. */
  asksForWork: z._default(z.boolean(), false),
  /** Messages a day from all visitors together. */
  perDay: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1_000),
  /** Messages a day from one visitor, and from one network. Absent: a tenth of the day's, and three tenths. */
  visitorPerDay: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  networkPerDay: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  /** Megabytes a day from one visitor; a network has three times as much. */
  visitorMbPerDay: z._default(z.int().check(z.minimum(1), z.maximum(10_000)), 30),
  /** Whether what visitors send counts as the owner's words. */
  callersTrusted: z._default(z.boolean(), false),
});

/** The sites that may show the page in a frame now. */
export function framingSites({ sites, embedded }: Pick<ChatDoorConfig, "sites" | "embedded">): readonly string[] {
  return embedded ? sites : [];
}

/** What one sender may use of a chat page in a day (UTC). */
interface ChatShare {
  messages: number;
  bytes: number;
}

/** With fewer messages a day a conversation would end before it has begun. */
const fewest = { visitor: 5, network: 15 };

/** What one visitor and one network may use of a chat page in a day. */
export function chatShares(
  config: Pick<ChatDoorConfig, "perDay" | "visitorPerDay" | "networkPerDay" | "visitorMbPerDay">,
): { visitor: ChatShare; network: ChatShare } {
  const { perDay, visitorPerDay, networkPerDay } = config;
  const bytes = config.visitorMbPerDay * 1024 * 1024;
  return {
    visitor: { messages: visitorPerDay ?? Math.max(fewest.visitor, Math.ceil(perDay * 0.1)), bytes },
    network: { messages: networkPerDay ?? Math.max(fewest.network, Math.ceil(perDay * 0.3)), bytes: bytes * 3 },
  };
}

export type ChatDoorConfig = z.infer<typeof chatDoorConfig>;
