import { lazy, memo, Suspense, useMemo } from "react";
import { LongText } from "../data/long-text.tsx";
import { splitMarkdown } from "./split-markdown.ts";

const loadContent = () => import("./markdown-content.tsx");
const MarkdownContent = lazy(loadContent);
const PlainWords = lazy(async () => ({ default: (await loadContent()).PlainWords }));

/** A text longer than this is no answer that is read as a page, and would take seconds to be laid out as one. */
const longestMarkdown = 200_000;

/** What Markdown says, without anything that shows how it is meant; nothing until it can be told. For whoever listens. */
export function MarkdownWords({ text }: { text: string }) {
  if (text.length > longestMarkdown) return text;
  return (
    <Suspense fallback={null}>
      <PlainWords text={text} />
    </Suspense>
  );
}

const Block = memo(function Block({ text }: { text: string }) {
  return <MarkdownContent text={text} />;
});

/**
 * Markdown of a model or tool, which is not trusted: no HTML, links to http, https and mailto only, images never load
 * by themselves. A huge text is shown as it is. While `streaming`, finished paragraphs are not parsed again for each new word.
 */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const blocks = useMemo(
    () => (streaming && text.length <= longestMarkdown ? splitMarkdown(text) : [text]),
    [text, streaming],
  );
  if (text.length > longestMarkdown) return <LongText text={text} />;
  return (
    <div className="markdown min-w-0 text-base wrap-anywhere">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        {blocks.map((block, index) => (
          <Block key={index} text={block} />
        ))}
      </Suspense>
    </div>
  );
}
