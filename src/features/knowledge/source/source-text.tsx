import { useEffect, useMemo, useRef, useState } from "react";
import type { DocumentSection } from "../../../engine/knowledge/source-document.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { locatePassage, withoutHeadings } from "./locate-passage.ts";
import { MarkedWords } from "./marked-words.tsx";
import { firstMarked, type SourceBlock, sourceBlocks } from "./source-blocks.ts";
import { ScrolledTable } from "../../../ui/layout/scrolled-table.tsx";

/** Blocks before and after the beginning of the passage that are shown at first, and more at each request. */
const [shownBefore, shownAfter, more] = [15, 40, 60];

interface SourceTextProps {
  sections: readonly DocumentSection[];
  passage: string;
  /** The headings above the passage, joined by " › ". */
  heading: string;
}

/** What was read of a document, around a passage, which is marked and scrolled to. */
export function SourceText({ sections, passage, heading }: SourceTextProps) {
  const blocks = useMemo(() => {
    const paths = sections.map(({ headings }) => headings.join(" › "));
    const exact = paths.findIndex((path) => path.endsWith(heading));
    const near = exact < 0 ? paths.findIndex((path) => path.includes(heading)) : exact;
    const texts = sections.map(({ text }) => text);
    return sourceBlocks(sections, locatePassage(texts, withoutHeadings(passage, sections), Math.max(near, 0)));
  }, [sections, passage, heading]);
  const marked = firstMarked(blocks);
  const [room, setRoom] = useState({ before: shownBefore, after: shownAfter });
  const mark = useRef<HTMLElement>(null);
  // In braces: where scrolling gives a promise, React would take it for what ends the effect.
  useEffect(() => {
    mark.current?.scrollIntoView({ block: "center" });
  }, []);

  const from = Math.max(0, (marked ?? 0) - room.before);
  const to = (marked ?? 0) + room.after;
  return (
    <div className="flex flex-col gap-2 text-base">
      {marked === null && (
        <Notice tone="warning" title="The passage is not found in this text">
          The document was changed since it was added to the search. Its beginning is shown.
        </Notice>
      )}
      {from > 0 && (
        <Button className="self-center" onClick={() => setRoom({ ...room, before: room.before + more })}>
          Show what comes before
        </Button>
      )}
      {blocks.slice(from, to).map((block, index) => (
        <Block key={from + index} block={block} first={from + index === marked ? mark : undefined} />
      ))}
      {to < blocks.length && (
        <Button className="self-center" onClick={() => setRoom({ ...room, after: room.after + more })}>
          Show more
        </Button>
      )}
    </div>
  );
}

function Block({ block, first }: { block: SourceBlock; first: React.Ref<HTMLElement> | undefined }) {
  switch (block.kind) {
    case "heading":
      return (
        <h3 dir="auto" className="mt-2 font-semibold wrap-anywhere">
          {block.headings.join(" › ")}
          {block.page !== null && (
            <span className="text-xs font-normal text-muted numeric">
              {block.headings.length > 0 && " · "}Page {block.page}
            </span>
          )}
        </h3>
      );
    case "text":
      return (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          <MarkedWords content={block.content} first={first} />
        </p>
      );
    case "table":
      return <Table block={block} first={first} />;
    default:
      return block satisfies never;
  }
}

function Table({
  block: { names, numbers, rows },
  first,
}: {
  block: Extract<SourceBlock, { kind: "table" }>;
  first: React.Ref<HTMLElement> | undefined;
}) {
  const firstRow = rows.findIndex((cells) => cells.some(({ marks }) => marks.length > 0));
  const firstCell = rows[firstRow]?.findIndex(({ marks }) => marks.length > 0);
  return (
    <ScrolledTable label="Table" className="rounded-md border">
      <table className="w-full text-left text-sm">
        {names.length > 0 && (
          <thead className="text-xs text-muted">
            <tr className="border-b">
              <th scope="col" className="px-2 py-1 font-normal">
                Row
              </th>
              {names.map((name) => (
                <th key={name} scope="col" dir="auto" className="px-2 py-1">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row} className="border-b last:border-b-0">
              {names.length > 0 && <td className="px-2 py-1 align-top text-xs text-faint numeric">{numbers[row]}</td>}
              {cells.map((cell, column) => (
                <td key={column} dir="auto" className="min-w-16 px-2 py-1 align-top whitespace-pre-wrap">
                  <MarkedWords content={cell} first={row === firstRow && column === firstCell ? first : undefined} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrolledTable>
  );
}
