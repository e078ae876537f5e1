import { lazy, memo, Suspense, useMemo } from "react";
import { splitMarkdown } from "./split-markdown.ts";

const MarkdownContent = lazy(() => import("./markdown-content.tsx"));

const Block = memo(function Block({ text }: { text: string }) {
  return <MarkdownContent text={text} />;
});

/**
 * Markdown of a model or tool, which is not trusted: no HTML, links to http, https and mailto only, images never load
 * by themselves. While `streaming`, finished paragraphs are not parsed again for each new word.
 */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const blocks = useMemo(() => (streaming ? splitMarkdown(text) : [text]), [text, streaming]);
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
