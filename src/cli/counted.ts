/** A number and what it counts, in English: `1 row`, `1,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
