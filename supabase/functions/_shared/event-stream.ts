/** One server-sent event; `data` is JSON or text without line breaks. */
export interface StreamEvent {
  id?: string;
  event?: string;
  data: unknown;
}

const heartbeatMs = 15_000;

/**
 * Answers with server-sent events as they come. While nothing comes, a comment keeps proxies from closing the connection.
 * `onLeave` is called when the reader goes away before the end.
 */
export function respondEvents(events: AsyncGenerator<StreamEvent>, onLeave?: () => void): Response {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<StreamEvent>> | undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        next ??= events.next();
        let timer: ReturnType<typeof setTimeout> | undefined;
        const quiet = new Promise<null>((resolve) => {
          timer = setTimeout(() => resolve(null), heartbeatMs);
        });
        try {
          const result = await Promise.race([next, quiet]);
          if (result === null) return controller.enqueue(encoder.encode(": still here\n\n"));
          next = undefined;
          if (result.done === true) return controller.close();
          controller.enqueue(encoder.encode(written(result.value)));
        } catch {
          // What went wrong is for the log of who made the events; the reader sees an answer that broke off.
          controller.error(new Error("The stream broke off."));
        } finally {
          clearTimeout(timer);
        }
      },
      cancel() {
        onLeave?.();
        void events.return(undefined).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // Proxies that would hold it back.
      "x-accel-buffering": "no",
    },
  });
}

function written({ id, event, data }: StreamEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}
