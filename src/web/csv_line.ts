/** Lines of CSV (RFC 4180) whose values a spreadsheet does not run as formulas (H-40). */

/** Characters that start a formula in spreadsheets, including their full-width forms in East Asian input. */
const sign = "[=+\\-@\uff1d\uff0b\uff0d\uff20]";
const formula = new RegExp(`^(?:${sign}|[\\t\\r\\n])`);
/**
 * A spreadsheet that separates cells by semicolons or tabs and ignores quotes within a cell would show a
 * formula within a value as a cell of its own.
 */
const laterFormula = new RegExp(`([;\\t\\r\\n]["' ]*)(?=${sign})`, "g");

/**
 * Returns one line with its line break. A string that a spreadsheet would run as a formula gets a leading
 * apostrophe, as OWASP recommends; other values are written as JSON.
 */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const inside = text.replace(laterFormula, "$1'");
  const safe = formula.test(inside) ? `'${inside}` : inside;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
