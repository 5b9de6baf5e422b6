/** A short id as people read it out: in two halves. */
export function shortIdText(short_id: string): string {
  return /^[0-9A-Z]{10}$/.test(short_id) ? `${short_id.slice(0, 5)}-${short_id.slice(5)}` : short_id;
}
