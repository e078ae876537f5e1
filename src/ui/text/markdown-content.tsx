import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { Icon } from "../icons/icon.tsx";
import { ScrolledTable } from "../layout/scrolled-table.tsx";

/** Addresses a link of a model may have. */
const protocols = ["http", "https", "mailto"];

const schema = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: protocols, src: ["http", "https"] },
};

const linkProps = { target: "_blank", rel: "noopener noreferrer nofollow" };

const components: Components = {
  a: ({ href, children }) =>
    isAllowed(href) ? (
      <a href={href} {...linkProps}>
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // An image would tell its server that, and what, somebody reads: it opens when it is asked for, in a page of its own.
  img: ({ src, alt }) =>
    typeof src === "string" && isAllowed(src) ? (
      <a href={src} {...linkProps} className="inline-flex items-center gap-1">
        <Icon name="image" size={14} />
        {alt === undefined || alt === "" ? "Image" : alt} ({hostOf(src)})
      </a>
    ) : (
      <span>{alt}</span>
    ),
  // In the direction of what they hold, with their marks at its beginning.
  ul: ({ children }) => <ul dir="auto">{children}</ul>,
  ol: ({ children, start }) => (
    <ol dir="auto" start={start}>
      {children}
    </ol>
  ),
  table: ({ children }) => (
    <ScrolledTable label="Table">
      <table>{children}</table>
    </ScrolledTable>
  ),
};

function isAllowed(address: string | undefined): boolean {
  try {
    return protocols.includes(new URL(address ?? "").protocol.slice(0, -1));
  } catch {
    return false;
  }
}

function hostOf(address: string): string {
  return new URL(address).host;
}

/** The heavy part of `Markdown`, loaded with the first text that needs it. */
export default function MarkdownContent({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[[rehypeSanitize, schema]]}
      components={components}
      skipHtml
    >
      {text}
    </ReactMarkdown>
  );
}

/** The words alone, as text without any element. */
export function PlainWords({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} allowedElements={[]} unwrapDisallowed skipHtml>
      {text}
    </ReactMarkdown>
  );
}
