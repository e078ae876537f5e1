import type { WorkflowTemplate } from "../workflow-template.ts";
import { channelWorkflow } from "./channel-workflow.ts";

const steps = `1. Create an app at api.slack.com/apps. Under *OAuth & Permissions* add the bot scopes \`app_mentions:read\` and \`chat:write\`, and install the app.
2. Make a credential *HTTP bearer token* with the bot token (\`xoxb-…\`) and choose it in the node *Reply*.
3. Publish this workflow. Under **Publish → Where it runs** open *Webhook*, choose *Slack* and *At once*, enter the app's signing secret and turn the webhook on.
4. At Slack, under *Event Subscriptions*, enter the address and subscribe to \`app_mention\`.

Slack waits three seconds: the webhook answers at once, and the reply follows in the thread. Replace the demo model by one of yours.`;

// Slack answers 200 also where it did not post.
const check = `if (json.ok !== true) throw new Error('Slack did not post the reply: ' + json.error);
return json;`;

/** An app that answers where it is mentioned. */
export const slackBot: WorkflowTemplate = {
  id: "slack-bot",
  title: "Slack bot",
  summary: "An agent answers in the thread where it is mentioned, and remembers the thread.",
  category: "channels",
  needs: ["A Slack app and its bot token"],
  build: (id) =>
    channelWorkflow(id, {
      name: "Slack bot",
      steps,
      // https://docs.slack.dev/reference/events/app_mention
      body: {
        type: "event_callback",
        team_id: "T0123ABC456",
        api_app_id: "A0123ABC456",
        event_id: "Ev0123ABC456",
        event_time: 1_515_449_522,
        event: {
          type: "app_mention",
          user: "U061F7AUR",
          text: "<@U0LAN0Z89> what is 6 * 7?",
          ts: "1515449522.000016",
          channel: "C123ABC456",
          event_ts: "1515449522000016",
        },
      },
      isMessage: 'json.body.type == "event_callback" && has(json.body.event.text) && !has(json.body.event.bot_id)',
      message: {
        text: "{{json.body.event.text}}",
        sessionId:
          "slack:{{json.body.event.channel}}:{{has(json.body.event.thread_ts) ? json.body.event.thread_ts : json.body.event.ts}}",
        channel: "{{json.body.event.channel}}",
        thread: "{{has(json.body.event.thread_ts) ? json.body.event.thread_ts : json.body.event.ts}}",
      },
      tone: "A message begins with a mention such as <@U0LAN0Z89>, which is you. Write short plain text.",
      // https://docs.slack.dev/reference/methods/chat.postMessage
      reply: {
        type: "http-request",
        config: {
          method: "POST",
          url: "https://slack.com/api/chat.postMessage",
          headers: { "content-type": "application/json; charset=utf-8" },
          body: '{"channel":"{{message.channel}}","thread_ts":"{{message.thread}}","text":"{{json.response}}"}',
          result: "body",
        },
      },
      check,
    }),
};
