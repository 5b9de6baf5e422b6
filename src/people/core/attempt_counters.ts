import type { IdentityContext } from "./context/context.ts";

/**
 * Returns the database key of a counter: a MAC of its `parts`, so the table reveals neither email nor IP
 * addresses.
 */
export function counterKey({ sealer }: IdentityContext, ...parts: string[]): Buffer {
  return Buffer.from(sealer.mac("ephemera", JSON.stringify(parts)), "base64url");
}

/** Subtracts `by` from a counter, unless another request changes the counter at the same time. */
export async function countDown(key: Buffer, { store }: IdentityContext, by = 1): Promise<void> {
  const row = await store.find("ephemera", { kind: "throttle", key });
  if (row === undefined || row.count < 1) return;
  await store.update("ephemera", { id: row.id, count: row.count }, { count: Math.max(0, row.count - by) });
}

/**
 * Deletes a counter, and subtracts its count from `wider`. Subtracts nothing if the window of `wider` began
 * later, because `wider` then lacks some of the attempts.
 */
export async function forgetWithin(
  key: Buffer,
  wider: Buffer | undefined,
  context: IdentityContext,
): Promise<void> {
  const { store } = context;
  const row = await store.find("ephemera", { kind: "throttle", key });
  if (row === undefined) return;
  const around = wider && (await store.find("ephemera", { kind: "throttle", key: wider }));
  // Only one of several concurrent calls subtracts the count.
  const taken = await store.remove("ephemera", { id: row.id, count: row.count });
  if (taken === 0) await store.forgetEphemeral("throttle", key);
  else if (wider && around && around.expires_at <= row.expires_at) await countDown(wider, context, row.count);
}

/** Returns the seconds until a counter resets, at least 1. */
export async function secondsLeft(key: Buffer, now: Date, { store }: IdentityContext): Promise<number> {
  const row = await store.find("ephemera", { kind: "throttle", key });
  const left = row === undefined ? 0 : row.expires_at.getTime() - now.getTime();
  return Math.max(1, Math.ceil(left / 1000));
}
