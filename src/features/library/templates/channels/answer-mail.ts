import type { WorkflowTemplate } from "../workflow-template.ts";
import { channelWorkflow } from "./channel-workflow.ts";

const steps = `1. At Postmark (postmarkapp.com) create a server and verify the address that replies come from; enter it in the node *Message* as *sender*.
2. Make a credential *HTTP header* with the name \`X-Postmark-Server-Token\` and the server's API token, and choose it in the node *Reply*.
3. Publish this workflow. Under **Publish → Where it runs** open *Webhook*, choose *Bearer token* and *At once*, save, make a token and turn the webhook on.
4. In the server's inbound stream, enter the webhook's address and put \`mail:\`, the token and \`@\` before its host. Then send mail to the stream's address.

Automatic mail, such as notices of absence, is not answered, so that no two machines write to each other. Replace the demo model by one of yours.`;

const headersAre = (condition: string) => `json.body.Headers.exists(header, ${condition})`;

/** Mail that an agent answers. */
export const answerMail: WorkflowTemplate = {
  id: "answer-mail",
  title: "Answer mail",
  summary: "An agent answers mail that comes in by Postmark, in the same thread, and remembers each correspondent.",
  category: "channels",
  needs: ["A Postmark server and its API token"],
  build: (id) =>
    channelWorkflow(id, {
      name: "Answer mail",
      steps,
      // https://postmarkapp.com/developer/webhooks/inbound-webhook
      body: {
        FromName: "Ada",
        MessageStream: "inbound",
        From: "ada@example.com",
        FromFull: { Email: "ada@example.com", Name: "Ada", MailboxHash: "" },
        To: "451d9b70cf9364d23ff6f9d51d870251569e@inbound.postmarkapp.com",
        OriginalRecipient: "451d9b70cf9364d23ff6f9d51d870251569e@inbound.postmarkapp.com",
        Subject: "A question",
        MessageID: "73e6d360-66eb-11e1-8e72-a8904824019b",
        Date: "Fri, 1 Aug 2014 16:45:32 -0400",
        TextBody: "What is 6 * 7?",
        StrippedTextReply: "",
        Headers: [
          { Name: "Message-ID", Value: "<CAGXpo2WKfxHWZ5UFYCR3H_J9SNMG+5AXUovfEFL6DjWBJSyZaA@mail.example.com>" },
        ],
      },
      isMessage: `json.body.TextBody != "" && !${headersAre('header.Name == "Auto-Submitted" && header.Value != "no"')}`,
      message: {
        text: '{{json.body.StrippedTextReply != "" ? json.body.StrippedTextReply : json.body.TextBody}}',
        sessionId: "mail:{{json.body.FromFull.Email}}",
        sender: "you@example.com",
        to: "{{json.body.FromFull.Email}}",
        subject: '{{json.body.Subject.startsWith("Re:") ? json.body.Subject : "Re: " + json.body.Subject}}',
        answers: '{{json.body.Headers.filter(header, header.Name == "Message-ID").map(header, header.Value).join("")}}',
      },
      tone: "Write a short, friendly mail as plain text, without a subject line.",
      // https://postmarkapp.com/developer/api/email-api
      reply: {
        type: "http-request",
        config: {
          method: "POST",
          url: "https://api.postmarkapp.com/email",
          headers: { accept: "application/json" },
          body: '{"From":"{{message.sender}}","To":"{{message.to}}","Subject":"{{message.subject}}","TextBody":"{{json.response}}","MessageStream":"outbound","Headers":[{"Name":"In-Reply-To","Value":"{{message.answers}}"},{"Name":"References","Value":"{{message.answers}}"},{"Name":"Auto-Submitted","Value":"auto-replied"}]}',
        },
      },
    }),
};
