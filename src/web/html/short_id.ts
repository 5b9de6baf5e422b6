/** Formats a short ID for reading aloud, in two halves. */
export function shortIdText(short_id: string): string {
  return /^[0-9A-Z]{10}$/.test(short_id) ? `${short_id.slice(0, 5)}-${short_id.slice(5)}` : short_id;
}
