import type { WorkflowTemplate } from "../workflow-template.ts";
import { channelWorkflow } from "./channel-workflow.ts";

const steps = `1. Create an app of the type *Business* at developers.facebook.com and add WhatsApp to it.
2. Make a credential *HTTP bearer token* with a permanent access token of a system user (permission \`whatsapp_business_messaging\`) and choose it in the node *Reply*.
3. Publish this workflow. Under **Publish → Where it runs** open *Webhook*, choose *WhatsApp Cloud* and *At once*, enter the app secret, make a verify token and turn the webhook on.
4. At Meta, under *WhatsApp → Configuration*, enter address and verify token, and subscribe to \`messages\`.

Notices about delivered and read messages are left out. A person who wrote can be answered freely for 24 hours. Replace the demo model by one of yours.`;

/** A number that an agent answers. */
export const whatsAppNumber: WorkflowTemplate = {
  id: "whatsapp-number",
  title: "WhatsApp number",
  summary: "An agent answers what people write to a WhatsApp Business number, and remembers each of them.",
  category: "channels",
  needs: ["A WhatsApp Cloud app and its access token"],
  build: (id) =>
    channelWorkflow(id, {
      name: "WhatsApp number",
      steps,
      // https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples#text-messages
      body: {
        object: "whatsapp_business_account",
        entry: [
          {
            id: "102290129340398",
            changes: [
              {
                field: "messages",
                value: {
                  messaging_product: "whatsapp",
                  metadata: { display_phone_number: "15550783881", phone_number_id: "106540352242922" },
                  contacts: [{ profile: { name: "Ada" }, wa_id: "16505551234" }],
                  messages: [
                    {
                      from: "16505551234",
                      id: "wamid.HBgLMTY1MDU1NTEyMzQVAgASGBQzQTdCNTg5RjY1MEMyRjlGMjRGNgA=",
                      timestamp: "1749416383",
                      type: "text",
                      text: { body: "What is 6 * 7?" },
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
      isMessage:
        '"messages" in json.body.entry[0].changes[0].value && json.body.entry[0].changes[0].value.messages[0].type == "text"',
      message: {
        text: "{{json.body.entry[0].changes[0].value.messages[0].text.body}}",
        sessionId: "whatsapp:{{json.body.entry[0].changes[0].value.messages[0].from}}",
        from: "{{json.body.entry[0].changes[0].value.messages[0].from}}",
        number: "{{json.body.entry[0].changes[0].value.metadata.phone_number_id}}",
      },
      tone: "Write short plain text.",
      // https://developers.facebook.com/docs/whatsapp/cloud-api/messages/text-messages; 4096 characters are the most.
      reply: {
        type: "http-request",
        config: {
          method: "POST",
          url: "https://graph.facebook.com/v23.0/{{message.number}}/messages",
          body: '{"messaging_product":"whatsapp","recipient_type":"individual","to":"{{message.from}}","type":"text","text":{"preview_url":false,"body":"{{size(json.response) > 4096 ? json.response.substring(0, 4096) : json.response}}"}}',
        },
      },
    }),
};
