import { askWithTools } from "./ask-with-tools.ts";
import { blank } from "./blank.ts";
import { approveRefunds } from "./approve-refunds.ts";
import { codeTools } from "./code-tools.ts";
import { databaseAssistant } from "./database-assistant.ts";
import { enrichList } from "./enrich-list.ts";
import { answerMail } from "./channels/answer-mail.ts";
import { discordCommand } from "./channels/discord-command.ts";
import { slackBot } from "./channels/slack-bot.ts";
import { telegramBot } from "./channels/telegram-bot.ts";
import { whatsAppNumber } from "./channels/whatsapp-number.ts";
import { extractJson } from "./extract-json.ts";
import { guardedAssistant } from "./guarded-assistant.ts";
import { longConversation } from "./long-conversation.ts";
import { mcpAssistant } from "./mcp-assistant.ts";
import { planAndReflect } from "./plan-and-reflect.ts";
import { readTheWeb } from "./read-the-web.ts";
import { routeQuestions } from "./route-questions.ts";
import { supportWithKnowledge } from "./support-with-knowledge.ts";
import { twoAgents } from "./two-agents.ts";
import { weeklyReport } from "./weekly-report.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

export type { WorkflowTemplate } from "./workflow-template.ts";

/** All templates in the order of the gallery, the one for newcomers first. */
export const templates: readonly WorkflowTemplate[] = [
  {
    id: "ask-with-tools",
    title: "Ask with tools",
    summary: "A chat agent with a memory, a calculator and web requests. Runs at once, without a key.",
    category: "start",
    example: "What is 12.5% of 480?",
    build: askWithTools,
  },
  {
    id: "blank",
    title: "Blank",
    summary: "An empty canvas. Start with a trigger and an agent.",
    category: "start",
    build: blank,
  },
  supportWithKnowledge,
  longConversation,
  planAndReflect,
  twoAgents,
  routeQuestions,
  approveRefunds,
  guardedAssistant,
  readTheWeb,
  mcpAssistant,
  databaseAssistant,
  codeTools,
  enrichList,
  extractJson,
  weeklyReport,
  telegramBot,
  slackBot,
  discordCommand,
  whatsAppNumber,
  answerMail,
];
