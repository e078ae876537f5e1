/** The answer to a sent body. */
export interface SentAnswer {
  status: number;
  /** Its JSON; null where it has none. */
  body: unknown;
}

interface SendOptions {
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Hears how much has been sent, from 0 to 1. */
  onProgress(part: number): void;
}

/** Posts bytes and tells of their progress, which `fetch` cannot. Rejects where no answer came, and with the signal's reason. */
export function sendBytes(url: string, bytes: Blob, { headers, signal, onProgress }: SendOptions): Promise<SentAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const stop = () => {
      request.abort();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    request.addEventListener("loadend", () => signal.removeEventListener("abort", stop));
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener("load", () => resolve({ status: request.status, body: asJson(request.responseText) }));
    request.addEventListener("error", () => reject(new Error("The file could not be sent.")));
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(bytes);
  });
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
