import type { AnyNodeDefinition, NodeRegistry } from "../engine/document/define-node.ts";
import { providers } from "../providers/index.ts";
import { aiAgent } from "./agent/ai-agent.ts";
import { code } from "./flow/code.ts";
import { forEach } from "./flow/for-each.ts";
import { repeat } from "./flow/repeat.ts";
import { group } from "./flow/group.ts";
import { guardrails } from "./flow/guardrails.ts";
import { httpRequest } from "./flow/http-request.ts";
import { ifNode } from "./flow/if.ts";
import { merge } from "./flow/merge.ts";
import { placeholder, placeholderTool } from "./flow/placeholder.ts";
import { postgres } from "./flow/postgres.ts";
import { respond } from "./flow/respond.ts";
import { setFields } from "./flow/set-fields.ts";
import { stickyNote } from "./flow/sticky-note.ts";
import { stop } from "./flow/stop.ts";
import { switchNode } from "./flow/switch.ts";
import { approval } from "./flow/approval.ts";
import { wait } from "./flow/wait.ts";
import { makeFile } from "./files/make-file.ts";
import { readFile } from "./files/read-file.ts";
import { transcribe } from "./files/transcribe.ts";
import { unzipFile } from "./files/unzip-file.ts";
import { zipFiles } from "./files/zip-files.ts";
import { addDocument } from "./knowledge/add-document.ts";
import { deleteDocument } from "./knowledge/delete-document.ts";
import { searchDocuments } from "./knowledge/search-documents.ts";
import { bufferMemory } from "./memories/buffer-memory.ts";
import { redisMemory } from "./memories/redis-memory.ts";
import { summaryMemory } from "./memories/summary-memory.ts";
import { vectorMemory } from "./memories/vector-memory.ts";
import { windowMemory } from "./memories/window-memory.ts";
import { modelNode } from "./models/model-node.ts";
import { calculatorTool } from "./tools/calculator-tool.ts";
import { codeTool } from "./tools/code-tool.ts";
import { httpRequestTool } from "./tools/http-request-tool.ts";
import { chatTrigger } from "./triggers/chat-trigger.ts";
import { knowledgeBaseTool } from "./tools/knowledge-base-tool.ts";
import { mcpTool } from "./tools/mcp-tool.ts";
import { postgresDeleteTool } from "./tools/postgres-delete-tool.ts";
import { postgresExecuteTool } from "./tools/postgres-execute-tool.ts";
import { postgresInsertTool } from "./tools/postgres-insert-tool.ts";
import { postgresSelectTool } from "./tools/postgres-select-tool.ts";
import { studioTools } from "./tools/studio-tools.ts";
import { postgresUpdateTool } from "./tools/postgres-update-tool.ts";
import { workflowTool } from "./tools/workflow-tool.ts";
import { workspaceTool } from "./tools/workspace-tool.ts";
import { manualTrigger } from "./triggers/manual-trigger.ts";
import { scheduleTrigger } from "./triggers/schedule-trigger.ts";
import { webhookTrigger } from "./triggers/webhook-trigger.ts";

/** Every node type, in the order of the catalogue: those used most first. Adding one is its file and its line here. */
export const nodeTypes: readonly AnyNodeDefinition[] = [
  chatTrigger,
  manualTrigger,
  webhookTrigger,
  scheduleTrigger,
  aiAgent,
  ...providers.map(modelNode),
  windowMemory,
  bufferMemory,
  summaryMemory,
  vectorMemory,
  redisMemory,
  httpRequestTool,
  knowledgeBaseTool,
  mcpTool,
  workflowTool,
  codeTool,
  workspaceTool,
  calculatorTool,
  postgresSelectTool,
  postgresInsertTool,
  postgresUpdateTool,
  postgresDeleteTool,
  postgresExecuteTool,
  ifNode,
  switchNode,
  forEach,
  repeat,
  merge,
  approval,
  guardrails,
  wait,
  stop,
  setFields,
  code,
  httpRequest,
  readFile,
  makeFile,
  transcribe,
  zipFiles,
  unzipFile,
  searchDocuments,
  addDocument,
  deleteDocument,
  postgres,
  respond,
  stickyNote,
  group,
  studioTools,
  placeholder,
  placeholderTool,
];

/** Every node type by its stored name. */
export const nodeRegistry: NodeRegistry = Object.fromEntries(
  nodeTypes.map((definition) => [definition.type, definition]),
);
