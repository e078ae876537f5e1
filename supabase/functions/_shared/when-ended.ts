/**
 * The same response, telling once when its body has been sent, has broken or is wanted no more. The body is not held up
 * and keeps its order.
 */
export function whenEnded(response: Response, tell: () => void): Response {
  if (response.body === null) {
    tell();
    return response;
  }
  const reader = response.body.getReader();
  let told = false;
  const end = (): void => {
    if (told) return;
    told = true;
    tell();
  };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
