import type { WorkflowTemplate } from "../workflow-template.ts";
import { channelWorkflow } from "./channel-workflow.ts";

const steps = `1. Create an application in the Discord developer portal.
2. Publish this workflow. Under **Publish → Where it runs** open *Webhook*, choose *Discord* and *At once*, enter the application's public key and turn the webhook on.
3. In the portal enter the address as *Interactions Endpoint URL*.
4. Register a slash command with one required option of text, once:

\`curl https://discord.com/api/v10/applications/<id>/commands -H "Authorization: Bot <token>" -H "Content-Type: application/json" -d '{"name":"ask","description":"Ask the agent","options":[{"type":3,"name":"message","description":"What to ask","required":true}]}'\`

Discord waits three seconds: it shows that the app is thinking, and the reply follows. The interaction's own token signs it, so no credential is needed. Replace the demo model by one of yours.`;

/** A slash command that an agent answers. */
export const discordCommand: WorkflowTemplate = {
  id: "discord-command",
  title: "Discord command",
  summary: "An agent answers a slash command in Discord and remembers each person in each channel.",
  category: "channels",
  needs: ["A Discord application"],
  build: (id) =>
    channelWorkflow(id, {
      name: "Discord command",
      steps,
      // https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
      body: {
        id: "786008729715212338",
        application_id: "845027738276462632",
        type: 2,
        version: 1,
        // Of one interaction, for fifteen minutes; a real request has it.
        token: "",
        guild_id: "290926798626357999",
        channel_id: "645027906669510667",
        member: { user: { id: "53908232506183680", username: "ada" } },
        data: {
          type: 1,
          id: "771825006014889984",
          name: "ask",
          options: [{ type: 3, name: "message", value: "What is 6 * 7?" }],
        },
      },
      isMessage: "json.body.type == 2 && has(json.body.data.options)",
      message: {
        text: "{{string(json.body.data.options[0].value)}}",
        sessionId:
          "discord:{{json.body.channel_id}}:{{has(json.body.member) ? json.body.member.user.id : json.body.user.id}}",
        application: "{{json.body.application_id}}",
        token: "{{json.body.token}}",
      },
      tone: "Keep answers below 2,000 characters.",
      // https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages
      reply: {
        type: "http-request",
        config: {
          method: "PATCH",
          url: "https://discord.com/api/v10/webhooks/{{message.application}}/{{message.token}}/messages/@original",
          // No answer may call everybody.
          body: '{"content":"{{size(json.response) > 2000 ? json.response.substring(0, 2000) : json.response}}","allowed_mentions":{"parse":[]}}',
        },
      },
    }),
};
