import { z } from "zod";

const colour = z.union([z.literal(""), z.string().regex(/^#[0-9a-f]{6}$/i, "A colour is written #rrggbb.")]);
const picture = z.union([
  z.literal(""),
  z
    .string()
    .max(40_000, "The picture is too large.")
    .regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/, "The picture is a PNG, JPEG or WebP."),
]);
const site = z
  .string()
  .max(200)
  .transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url !== null && /^https?:$/.test(url.protocol) && url.host !== "") return url.origin;
    context.addIssue({ code: "custom", message: "A site is written https://www.example.com." });
    return z.NEVER;
  });

/** Who may talk: anybody, who knows the password, who has an account of this studio, or whom the embedding site vouches for. */
export const chatAccess = ["public", "password", "account", "signed"] as const;
export type ChatAccess = (typeof chatAccess)[number];

/** How a published workflow's chat page looks, whom it lets in and how much it takes. The password and the signing secret are kept apart. */
export const chatDoorConfig = z.object({
  access: z.enum(chatAccess).default("public"),
  /** The workflow's name where it is empty. */
  title: z.string().trim().max(80).default(""),
  welcome: z.string().trim().max(500).default(""),
  placeholder: z.string().trim().max(80).default(""),
  picture: picture.default(""),
  theme: z.enum(["system", "light", "dark"]).default("system"),
  /** Empty: the studio's own. */
  accent: z.object({ light: colour.default(""), dark: colour.default("") }).default({ light: "", dark: "" }),
  questions: z.array(z.string().trim().min(1).max(300)).max(4).default([]),
  /** Whether visitors may send pictures. */
  attachments: z.boolean().default(false),
  /** Whether an answer names the tools that it used. Their arguments and results never leave the studio. */
  steps: z.enum(["hidden", "named"]).default("hidden"),
  /** Origins of the sites that may show the page in a frame. */
  sites: z.array(site).max(20).default([]),
  /** What visitors read once the day's messages are used up. */
  closedMessage: z.string().trim().max(300).default(""),
  messageChars: z.int().min(1).max(20_000).default(4_000),
  /** Messages a minute from one address. */
  perMinute: z.int().min(1).max(600).default(20),
  /** Whether the browser of a new visitor has to solve a task before the first message, which makes many sessions costly. */
  asksForWork: z.boolean().default(false),
  /** Messages a day from all visitors together. */
  perDay: z.int().min(1).max(1_000_000).default(1_000),
});

export type ChatDoorConfig = z.infer<typeof chatDoorConfig>;
