import { Icon } from "../icons/icon.tsx";

interface Source {
  url: string;
  title?: string | undefined;
}

/** Sources shown by name; a search may bring dozens. */
const mostSources = 12;

/** The web pages that the vendor's own search found for an answer. */
export function WebSources({ sources }: { sources: readonly Source[] }) {
  const pages = sources.filter(({ url }) => /^https?:\/\//i.test(url));
  const shown = pages.slice(0, mostSources);
  const more = pages.length - shown.length;
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Web sources" className="flex min-w-0 flex-wrap items-center gap-1.5 text-xs">
      {shown.map(({ url, title }) => (
        <li key={url} className="min-w-0">
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            title={url}
            className="inline-flex max-w-64 items-center gap-1 rounded-full border border-line px-2 py-0.5 text-muted hover:text-ink"
          >
            <Icon name="globe" size={12} />
            <span className="truncate">{title ?? hostOf(url)}</span>
          </a>
        </li>
      ))}
      {more > 0 && <li className="text-faint">and {more} more</li>}
    </ul>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, "") : url;
}
