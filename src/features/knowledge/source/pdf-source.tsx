import { useEffect, useRef, useState } from "react";
import type { PageBox } from "../../../engine/file/page-box.ts";
import type { ShownPdf } from "../../../services/shown-pdf.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { errorHint } from "../../../ui/feedback/error-hint.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Spinner } from "../../../ui/feedback/spinner.tsx";
import { locateInPages, type PageRange } from "./locate-in-pages.ts";
import { useShownPdf } from "./use-shown-pdf.ts";

/** Pixels; fine enough for a wide window and for a closer look on a phone. */
const drawnWidth = 1_600;

interface PdfSourceProps {
  fileId: string;
  name: string;
  passage: string;
  /** On which the passage begins. */
  page: number;
}

/** The pages of a PDF, opened where a passage is, which is marked. */
export function PdfSource({ fileId, ...place }: PdfSourceProps) {
  const opened = useShownPdf(fileId);
  switch (opened.status) {
    case "opening":
      return <Spinner label="Opening the PDF" />;
    case "failed":
      return <Failure error={opened.error} />;
    case "open":
      return <Passage pdf={opened.pdf} {...place} />;
    default:
      return opened satisfies never;
  }
}

function Failure({ error }: { error: Error }) {
  return (
    <Notice tone="danger" title={error.message}>
      {errorHint(error)}
    </Notice>
  );
}

function Passage({ pdf, passage, page, name }: Omit<PdfSourceProps, "fileId"> & { pdf: ShownPdf }) {
  const [found, setFound] = useState<readonly PageRange[] | Error | null>(null);
  useEffect(() => {
    let isGone = false;
    const show = (result: readonly PageRange[] | Error) => {
      if (!isGone) setFound(result);
    };
    locateInPages(pdf, passage, Math.min(page, pdf.pages)).then(show, (error: unknown) =>
      show(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      isGone = true;
    };
  }, [pdf, passage, page]);
  if (found === null) return <Spinner label="Looking for the passage" />;
  if (found instanceof Error) return <Failure error={found} />;
  return <Pages pdf={pdf} name={name} ranges={found} first={found[0]?.page ?? Math.min(page, pdf.pages)} />;
}

interface PagesProps {
  pdf: ShownPdf;
  name: string;
  ranges: readonly PageRange[];
  first: number;
}

/** One page at a time; arrow keys turn them as the buttons do. */
function Pages({ pdf, name, ranges, first }: PagesProps) {
  const [page, setPage] = useState(first);
  const turn = (by: number) => setPage((now) => Math.min(Math.max(now + by, 1), pdf.pages));
  return (
    <div
      role="group"
      tabIndex={0}
      aria-label="Pages of the PDF"
      className="flex flex-col gap-2 outline-offset-4"
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        turn(by);
      }}
    >
      <p className="flex items-center gap-1 text-xs text-muted numeric">
        <IconButton
          size="sm"
          icon="chevron-left"
          label="Previous page"
          disabled={page === 1}
          onClick={() => turn(-1)}
        />
        <span role="status">
          Page {page} of {pdf.pages}
        </span>
        <IconButton
          size="sm"
          icon="chevron-right"
          label="Next page"
          disabled={page === pdf.pages}
          onClick={() => turn(1)}
        />
      </p>
      {ranges.length === 0 && (
        <Notice tone="warning" title="The passage is not marked">
          Its words were not found on the page, as when the page is a picture. Read them under Text.
        </Notice>
      )}
      <Page key={page} pdf={pdf} page={page} name={name} ranges={ranges.filter((range) => range.page === page)} />
    </div>
  );
}

interface PageProps {
  pdf: ShownPdf;
  page: number;
  name: string;
  ranges: readonly PageRange[];
}

function Page({ pdf, page, name, ranges }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const mark = useRef<HTMLElement>(null);
  const [boxes, setBoxes] = useState<readonly PageBox[]>([]);
  const [state, setState] = useState<"drawing" | "drawn" | Error>("drawing");
  const wanted = useRef(ranges);
  useEffect(() => {
    const node = canvas.current;
    if (node === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const draw = async () => {
      await pdf.draw(page, node, drawnWidth, signal);
      const found = await pdf.boxes(page, wanted.current);
      if (signal.aborted) return;
      setBoxes(found);
      setState("drawn");
    };
    draw().catch((error: unknown) => {
      if (!signal.aborted) setState(error instanceof Error ? error : new Error(String(error)));
    });
    return () => controller.abort();
  }, [pdf, page]);
  useEffect(() => {
    if (boxes.length > 0) mark.current?.scrollIntoView({ block: "center" });
  }, [boxes]);
  const percent = (share: number) => `${share * 100}%`;
  return (
    <>
      {state === "drawing" && <Spinner label="Drawing the page" />}
      {state instanceof Error && <Failure error={state} />}
      <div hidden={state !== "drawn"} className="relative overflow-hidden rounded-md border">
        <canvas ref={canvas} role="img" aria-label={`Page ${page} of ${name}`} className="block h-auto w-full" />
        {boxes.map(({ left, top, width, height }, index) => (
          <mark
            key={index}
            ref={index === 0 ? mark : undefined}
            className="pointer-events-none absolute rounded-[2px] bg-accent/25"
            style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
          />
        ))}
      </div>
    </>
  );
}
