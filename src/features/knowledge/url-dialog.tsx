import { useState } from "react";
import { flushSync } from "react-dom";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import type { IngestSource } from "../../services/knowledge.ts";
import { Field } from "../../ui/fields/field.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { rateText } from "./embedding-cost.ts";
import { FormDialog } from "./form-dialog.tsx";

/** A host that stands without a scheme: with a dot, a port, or `localhost`. */
const bareHost = /^(localhost|[^/:@\s]+\.[^/:@\s]+|[^/:@\s]+(?=:\d))(:\d+)?([/?#]|$)/i;

function urlOf(text: string): string | undefined {
  const url = bareHost.test(text) ? `https://${text}` : text;
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).href : undefined;
}

/** The addresses in a text, each once; a missing scheme is https. Words that are no address come back as they are. */
export function readUrls(text: string): { urls: string[]; wrong: string[] } {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const urls = words.flatMap((word) => urlOf(word) ?? []);
  return { urls: [...new Set(urls)], wrong: words.filter((word) => urlOf(word) === undefined) };
}

function problemOf({ urls, wrong }: ReturnType<typeof readUrls>): string | undefined {
  if (wrong.length > 0) return `Not a web address: ${wrong[0]}`;
  return urls.length === 0 ? "Enter the address of a page." : undefined;
}

/** Adds web pages by their addresses. */
export function UrlDialog({
  embedding,
  onClose,
  onAdd,
}: {
  embedding: KnowledgeEmbedding | null;
  onClose: () => void;
  onAdd: (sources: readonly IngestSource[]) => void;
}) {
  const [text, setText] = useState("");
  const [tried, setTried] = useState(false);
  const read = readUrls(text);
  const problem = problemOf(read);
  return (
    <FormDialog
      title="Add a URL"
      description="Adds the page's readable text, or the file at that address."
      submit={read.urls.length > 1 ? `Add ${read.urls.length} pages` : "Add page"}
      onClose={onClose}
      onSubmit={(form) => {
        flushSync(() => setTried(true));
        if (problem !== undefined) return focusFirstInvalid(form);
        onAdd(read.urls.map((url) => ({ type: "url", url })));
        onClose();
      }}
    >
      <Field
        label="Addresses"
        required
        help={["One per line.", rateText(embedding)].filter(Boolean).join(" ")}
        error={tried ? problem : undefined}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            mono
            value={text}
            placeholder="https://example.com/help"
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
