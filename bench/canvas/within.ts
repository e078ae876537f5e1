/**
 * What `work` gives, or an error that says what did not end, after `seconds`: a page that hangs answers neither the mouse
 * nor a question, and a browser waits for it for ever.
 */
export async function within<Value>(what: string, seconds: number, work: () => Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        new Error(
          `${what}: did not end within ${seconds} s. The page hangs or is far too slow; nothing after it was measured.`,
        ),
      );
    }, seconds * 1000);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
