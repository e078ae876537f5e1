import type { WorkflowTemplate } from "../workflow-template.ts";
import { channelWorkflow } from "./channel-workflow.ts";

const steps = `1. Create a bot with @BotFather and keep its token.
2. Publish this workflow. Under **Publish → Where it runs** open *Webhook*, choose *Telegram* and *What a Respond node says*, save, make a secret token and turn the webhook on.
3. Tell Telegram the address, once:

\`curl https://api.telegram.org/bot<token>/setWebhook -d url=<address> -d secret_token=<secret token>\`

Telegram takes the reply as the answer to its request, so the bot's token is stored nowhere. If a run takes too long, Telegram asks again and gets the reply of the same run. Replace the demo model by one of yours.`;

/** A bot that answers private and group messages. */
export const telegramBot: WorkflowTemplate = {
  id: "telegram-bot",
  title: "Telegram bot",
  summary: "An agent answers the messages of a Telegram bot and remembers each chat.",
  category: "channels",
  needs: ["A Telegram bot"],
  build: (id) =>
    channelWorkflow(id, {
      name: "Telegram bot",
      steps,
      // https://core.telegram.org/bots/api#update
      body: {
        update_id: 10_000,
        message: {
          message_id: 1365,
          date: 1_441_645_532,
          from: { id: 1_111_111, is_bot: false, first_name: "Ada", language_code: "en" },
          chat: { id: 1_111_111, type: "private", first_name: "Ada" },
          text: "What is 6 * 7?",
        },
      },
      isMessage: "has(json.body.message) && has(json.body.message.text)",
      message: {
        text: "{{json.body.message.text}}",
        sessionId: "telegram:{{json.body.message.chat.id}}",
        chat: "{{json.body.message.chat.id}}",
      },
      tone: "Write short plain text without Markdown.",
      // https://core.telegram.org/bots/api#making-requests-when-getting-updates; 4096 characters are the most.
      reply: {
        type: "respond",
        config: {
          bodyType: "json",
          json: {
            method: "sendMessage",
            chat_id: "{{message.chat}}",
            text: "{{size(json.response) > 4096 ? json.response.substring(0, 4096) : json.response}}",
          },
        },
      },
    }),
};
