import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode, type RunContext } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { RunError } from "../../engine/errors.ts";
import type { NamedBytes } from "../../engine/file/documents.ts";
import { fileIdIn } from "../../engine/file/file.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { KnowledgeCollection } from "../../engine/knowledge/knowledge.ts";
import { type MetadataChange, readMetadata, typedValue } from "../../engine/knowledge/document-metadata.ts";
import {
  type DocumentKind,
  documentKinds,
  hasPages,
  type SourceDocument,
} from "../../engine/knowledge/source-document.ts";
import { storableDocument } from "../../engine/knowledge/storable-document.ts";
import { untrustedField } from "../../engine/trust/taint.ts";
import { bytesOf, documentWork, filesHeld, textBytes, textIn } from "../files/document-work.ts";
import { onErrorField, repeatIfUnchanged, stepAfterCrash } from "../flow/error-field.ts";
import { collectionFields, describeCollection, openDocuments } from "./collection-fields.ts";
import { embeddingFields } from "./embedding-fields.ts";
import { storeDocument, type StoredOutcome } from "./store-document.ts";

const config = z.object({
  ...collectionFields("Where the document goes."),
  content: field(z._default(jsonValue(), "{{json}}"), {
    label: "Document",
    help: "A file, text, or data (stored as JSON). Data that contains files works too, such as {{json}}: each file becomes a document.",
    control: "text",
    template: "value",
  }),
  name: field(z._default(z.string(), ""), {
    label: "Name",
    help: "A document with this name is replaced. Empty: the file's own name. A text and data need a name.",
    template: "text",
    placeholder: "The file's own name",
  }),
  source: field(z._default(z.string().check(z.maxLength(8_192)), ""), {
    label: "Address",
    help: "Where it came from, such as {{json.url}}. Shown with the document.",
    template: "text",
  }),
  metadata: field(z._default(z.record(z.string(), z.string()), {}), {
    label: "Metadata",
    help: "Fields to filter by, such as team and year. Numbers, true and false are stored as such; quotes keep a text. Other fields of the document are kept. Front matter of Markdown is added too.",
    template: "text",
  }),
  format: field(z._default(z.enum(["auto", ...documentKinds]), "auto"), {
    label: "Format",
    help: "How to read it. Auto: by its name, its type and how it begins. Choose it for a text, such as Markdown.",
    section: "Format",
  }),
  ...embeddingFields(),
  afterCrash: stepAfterCrash(repeatIfUnchanged),
  onError: onErrorField,
});

type Context = RunContext<z.infer<typeof config>, unknown>;

export const addDocument = defineNode({
  type: "add-document",
  version: 1,
  role: "flow",
  title: "Add documents",
  summary: "Adds or replaces documents of a collection.",
  keywords: [
    "knowledge",
    "rag",
    "insert",
    "upsert",
    "store",
    "save",
    "index",
    "ingest",
    "embed",
    "vector store",
    "replace",
    "update",
    "upload",
  ],
  section: "data",
  icon: "book-plus",
  config,
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: [
    { to: "knowledge", does: "adds documents to a collection" },
    { to: "embeddings", credential: "credential" },
  ],
  describe: (raw) => describeCollection(raw),
  outputKeys: () => ["collection", "documents"],
  /** `{ collection, documents: [{ id, name, outcome, kept, added, removed }] }`. */
  async run(context): Promise<JsonObject> {
    const { config: settings, host, signal, node } = context;
    const collection = await openDocuments(host, settings, node, signal);
    const documents: StoredOutcome[] = [];
    for (const given of await documentsOf(context)) {
      const document = await readDocument(context, given);
      documents.push(await store(context, collection, document));
    }
    return { collection: collection.name, documents: documents.map((stored) => ({ ...stored })) };
  },
});

interface GivenDocument {
  name: string;
  file: NamedBytes;
  /** Id of the file of the run that it is. */
  id?: string;
  kind?: DocumentKind;
}

/** The files that the step is given, or a text or data under the name that the settings say. */
async function documentsOf(context: Context): Promise<GivenDocument[]> {
  const { files, config: settings } = context;
  const { content, format } = settings;
  const name = settings.name.trim();
  const kind = format === "auto" ? {} : { kind: format };
  const found = filesHeld(files, content);
  if (found.length === 0) {
    // What only looks like a file is told apart from data.
    if (fileIdIn(content) !== undefined) files.get(content);
    if (name === "") {
      const hint = "Enter a name in the node's settings. A document with that name is replaced.";
      throw new RunError({ code: "invalid_config", message: "A document made from text needs a name.", hint });
    }
    const text = textIn(files, content);
    if (text !== undefined) return [{ name, file: textBytes(name, text), ...kind }];
    return [{ name, file: textBytes(name, JSON.stringify(content)), kind: "json" }];
  }
  if (found.length > 1 && name !== "") {
    const hint = "Leave the name empty, so that each has its own, or add one file at a time in a For each.";
    throw new RunError({ code: "invalid_config", message: `There are ${found.length} files but only one name.`, hint });
  }
  const read: GivenDocument[] = [];
  for (const each of found) {
    const file = await bytesOf(context, each);
    read.push({ name: name || file.name, file, id: each.$file, ...kind });
  }
  return read;
}

async function readDocument(context: Context, { name, id, ...work }: GivenDocument): Promise<SourceDocument> {
  const { document } = await documentWork(context, { do: "read", ...work });
  const metadata = givenMetadata(context.config.metadata);
  const kind = document?.kind ?? "text";
  const storable = storableDocument({
    name,
    kind,
    source: context.config.source.trim(),
    sections: document?.sections ?? [],
    size: work.file.bytes.byteLength,
    ...(id !== undefined && hasPages(kind) ? { original: id } : {}),
    metadata: { ...document?.metadata, ...metadata },
    ...untrustedField(context.untrusted),
  });
  if (storable.ok) return storable.document;
  throw new RunError({ code: "tool_error", message: storable.message, hint: storable.hint });
}

/** Throws a RunError for what cannot be metadata; an empty value is none. */
function givenMetadata(fields: Readonly<Record<string, string>>): MetadataChange {
  const given = Object.entries(fields).filter(([, text]) => text.trim() !== "");
  const read = readMetadata(Object.fromEntries(given.map(([name, text]) => [name.trim(), typedValue(text)])));
  if (read.ok) return read.metadata;
  throw new RunError({ code: "invalid_config", message: read.message, hint: read.hint });
}

function store(context: Context, collection: KnowledgeCollection, document: SourceDocument): Promise<StoredOutcome> {
  const { config: settings, host, signal, node, log, emit } = context;
  const { embedding } = collection;
  const signed =
    embedding && settings.credential !== "" ? { ...embedding, credential: settings.credential } : embedding;
  return storeDocument(
    document,
    { ...collection, embedding: signed },
    {
      writer: host.knowledge,
      host,
      signal,
      nodeId: node.id,
      price: settings.embeddingPrice,
      async spend(use) {
        emit({ type: "embedding", nodeId: node.id, ...use });
      },
      report({ waiting }) {
        if (waiting)
          log("warn", `The embedding model is busy; trying again in ${waiting.seconds} s: ${waiting.reason}`);
      },
    },
  );
}
