/** Code that is loaded with its first use: what, and about how many kilobytes it weighs, compressed. */
interface LoadedLate {
  what: string;
  kilobytes: number;
}

/**
 * All that the site loads late besides its pages, by the file that loads it: something is here because it is heavy and most
 * visits do without it, or because the canvas is to stand before it.
 */
export const loadedLate: Readonly<Record<string, readonly LoadedLate[]>> = {
  "src/app/create-services.ts": [
    { what: "prices of models, with the list of them", kilobytes: 15 },
    { what: "pages of PDFs as they are shown", kilobytes: 3 },
  ],
  "src/app/page-search.tsx": [{ what: "search of pages and workflows", kilobytes: 25 }],
  "src/app/pages/canvas-area.tsx": [{ what: "what the assistant proposes, above the canvas", kilobytes: 2 }],
  "src/app/pages/dialog-slot.tsx": [{ what: "dialogs of the editor", kilobytes: 32 }],
  "src/app/pages/editor-dialogs.tsx": [
    { what: "tools from an OpenAPI description", kilobytes: 30 },
    { what: "importers of other builders' workflows", kilobytes: 136 },
  ],
  "src/app/pages/editor-layout.tsx": [{ what: "assistant", kilobytes: 20 }],
  "src/app/pages/example-suites.ts": [{ what: "CSV reader", kilobytes: 7 }],
  "src/app/pages/workbench-parts.ts": [{ what: "panels around the canvas", kilobytes: 125 }],
  "src/app/pages/workflow-commands.ts": [{ what: "export as code, with a parser of JavaScript", kilobytes: 52 }],
  "src/chat-page/chat-client.ts": [{ what: "proof of work, where a chat page asks for one", kilobytes: 1 }],
  "src/engine/run/privacy/memory-mask.ts": [{ what: "masking of what a memory stores", kilobytes: 2 }],
  "src/features/knowledge/citations.tsx": [{ what: "source of a citation", kilobytes: 6 }],
  "src/features/library/everything/everything-section.tsx": [
    { what: "importers, for a file with all work", kilobytes: 136 },
  ],
  "src/features/library/library-view.tsx": [
    { what: "templates, with the registry of nodes", kilobytes: 130 },
    { what: "importers of other builders' workflows", kilobytes: 136 },
  ],
  "src/features/library/workflow-picture.tsx": [
    { what: "pictures of workflows, with the registry of nodes", kilobytes: 130 },
  ],
  "src/features/mcp-app/app-frame.tsx": [{ what: "interfaces of MCP tools", kilobytes: 30 }],
  "src/features/run/execution.ts": [{ what: "engine", kilobytes: 21 }],
  "src/features/tests/parse-table.ts": [{ what: "CSV reader", kilobytes: 7 }],
  "src/forms/code-control.tsx": [{ what: "code editor", kilobytes: 149 }],
  "src/forms/template/load-editor.ts": [{ what: "editor of templates", kilobytes: 109 }],
  "src/state/evaluation/storage/evaluation-repository.ts": [
    { what: "assertions of tests, with the expression language", kilobytes: 53 },
  ],
  "src/documents/make/make-pdf.ts": [
    { what: "PDF maker, in the worker of documents", kilobytes: 330 },
    { what: "its fonts", kilobytes: 420 },
  ],
  "src/documents/make/make-xlsx.ts": [{ what: "maker of Excel files, in the worker of documents", kilobytes: 15 }],
  "src/documents/read/read-docx.ts": [{ what: "reader of Word files, in the worker of documents", kilobytes: 150 }],
  "src/documents/read/read-email.ts": [
    { what: "reader of emails, in the worker of documents", kilobytes: 15 },
    { what: "reader of emails of Outlook, with tables of letters", kilobytes: 130 },
  ],
  "src/documents/read/read-front-matter.ts": [{ what: "YAML reader, in the worker of documents", kilobytes: 32 }],
  "src/documents/read/read-xlsx.ts": [{ what: "reader of Excel files, in the worker of documents", kilobytes: 15 }],
  "src/documents/pdf/reading-data.ts": [{ what: "addresses of the maps of characters that a PDF names", kilobytes: 6 }],
  "src/documents/pdf/show-pdf.ts": [{ what: "PDF reader, for pages that are shown", kilobytes: 138 }],
  "src/documents/pdf/use-pdf.ts": [{ what: "PDF reader, beside its worker of 374 kB", kilobytes: 138 }],
  "src/host/sandbox/file-bridge.ts": [{ what: "tables and archives for code, in the worker of code", kilobytes: 255 }],
  "src/state/editor/connectors.ts": [{ what: "catalogue of APIs", kilobytes: 15 }],
  "src/state/editing/layout-in-worker.ts": [{ what: "layout, where no worker can be started", kilobytes: 16 }],
  "src/state/document/load-problem-checks.ts": [
    { what: "checks of a workflow, with the expression language", kilobytes: 53 },
  ],
  "src/ui/text/markdown.tsx": [{ what: "Markdown with highlighting", kilobytes: 50 }],
};
