import type { HookAnswer } from "../../../doors/hook-door.ts";
import type { HookScheme } from "../../../doors/hook-scheme.ts";

/** What is done at the sender so that it reaches the webhook, one line each. */
export const setupSteps: Record<HookScheme, readonly string[]> = {
  none: ["Anybody who knows the address can start runs. Set limits under Limits and alerts."],
  bearer: [
    "Send the header Authorization: Bearer followed by the token.",
    "Senders that take a user name and a password send the token as the password; the user name may be anything.",
  ],
  standard: [
    "Enter the address and the signing secret at the sender.",
    "The sender signs each request with webhook-id, webhook-timestamp and webhook-signature.",
  ],
  github: [
    "In the repository's settings, open Webhooks and choose Add webhook.",
    "Enter the address and the secret, and choose the content type application/json.",
  ],
  slack: [
    "Create an app at api.slack.com/apps, and copy its signing secret from Basic Information to here. Save.",
    "Turn this webhook on, then enter the address under Event Subscriptions. Slack checks it at once.",
    "Subscribe to bot events such as app_mention, and install the app.",
    "Answer at once: Slack waits three seconds. Reply with an HTTP request node to chat.postMessage.",
  ],
  stripe: [
    "In the Stripe dashboard, open Webhooks and add a destination with the address.",
    "Copy its signing secret, which begins with whsec_, to here.",
  ],
  telegram: [
    "Create a bot with @BotFather.",
    "Call the bot's method setWebhook with url = the address and secret_token = the secret token.",
    "Reply with an HTTP request node to sendMessage.",
  ],
  discord: [
    "Create an application in the Discord developer portal, and copy its public key to here. Save.",
    "Turn this webhook on, then enter the address as the interactions endpoint. Discord checks it at once.",
    "Answer at once: Discord waits three seconds. Send the reply as a follow-up with the interaction's token.",
  ],
  whatsapp: [
    "In the Meta app dashboard, copy the app secret to here, and make a verify token.",
    "Turn this webhook on, then enter address and verify token under WhatsApp, Configuration.",
    "Subscribe to the field messages. Reply with an HTTP request node to the messages endpoint.",
  ],
};

/** The choices of what a caller gets. */
export const answerWords: Record<HookAnswer, { label: string; help: string }> = {
  immediately: { label: "At once: the request was taken", help: "202 and the number of the run." },
  output: {
    label: "When the run has ended: its output",
    help: "The output as JSON, or its file if it holds nothing else. A failed run answers with 502.",
  },
  respond: {
    label: "What a Respond node says",
    help: "Status, headers and body of the node, as soon as it has run. The run then goes on.",
  },
  stream: { label: "The text while it is written", help: "Server-sent events: text, then end." },
};
