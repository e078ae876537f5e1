import type { ChatEvent } from "../../../../src/doors/chat-api.ts";

/** Proxies close a connection on which nothing happens. */
const pingMs = 15_000;

/** Events as server-sent events. `stop` is called once, when they have all been sent or nobody reads them any more. */
export function eventStream(events: AsyncGenerator<ChatEvent>, stop: () => void): Response {
  const encoder = new TextEncoder();
  let ping: ReturnType<typeof setInterval> | undefined;
  const end = (): void => {
    clearInterval(ping);
    stop();
  };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      ping = setInterval(() => controller.enqueue(encoder.encode(":\n\n")), pingMs);
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (!done) return controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
        end();
        controller.close();
      } catch {
        // Without its end the page knows that it was cut off, and asks again. Why is not the visitor's business.
        end();
        controller.close();
      }
    },
    async cancel() {
      end();
      await events.return(undefined);
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  });
}
