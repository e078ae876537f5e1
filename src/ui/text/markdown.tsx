import { Component, lazy, memo, type ReactNode, Suspense, useMemo } from "react";
import { LongText } from "../data/long-text.tsx";
import { isIntricate } from "./intricate-markdown.ts";
import { splitMarkdown } from "./split-markdown.ts";

const loadContent = () => import("./markdown-content.tsx");
const MarkdownContent = lazy(loadContent);
const PlainWords = lazy(async () => ({ default: (await loadContent()).PlainWords }));

/** A text longer than this is no answer that is read as a page, and would take seconds to be laid out as one. */
const longestMarkdown = 200_000;

/** What Markdown says, without anything that shows how it is meant; nothing until it can be told. For whoever listens. */
export function MarkdownWords({ text }: { text: string }) {
  const isPlain = useMemo(() => text.length > longestMarkdown || isIntricate(text), [text]);
  if (isPlain) return text;
  return (
    <Suspense fallback={null}>
      <PlainWords text={text} />
    </Suspense>
  );
}

const Block = memo(function Block({ text }: { text: string }) {
  return <MarkdownContent text={text} />;
});

/** Shows a text as it is where it cannot be laid out, so that no text takes the page with it. */
class AsItIs extends Component<{ text: string; children: ReactNode }, { failed: string | null }> {
  override state: { failed: string | null } = { failed: null };

  static getDerivedStateFromError(): { failed: string } {
    return { failed: "" };
  }

  override componentDidCatch() {
    this.setState({ failed: this.props.text });
  }

  override render() {
    const { text, children } = this.props;
    const { failed } = this.state;
    return failed === "" || failed === text ? <LongText text={text} /> : children;
  }
}

/**
 * Markdown of a model or tool, which is not trusted: no HTML, links to http, https and mailto only, images never load by
 * themselves. A huge or endlessly nested text is shown as it is. While `streaming`, finished paragraphs are not parsed again for
 * each new word.
 */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const blocks = useMemo(() => {
    if (text.length > longestMarkdown || isIntricate(text)) return null;
    return streaming ? splitMarkdown(text) : [text];
  }, [text, streaming]);
  if (blocks === null) return <LongText text={text} />;
  return (
    <div className="markdown min-w-0 text-base wrap-anywhere">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <AsItIs text={text}>
          {blocks.map((block, index) => (
            <Block key={index} text={block} />
          ))}
        </AsItIs>
      </Suspense>
    </div>
  );
}
