/** Characters that start a formula in spreadsheets, including their full-width forms in East Asian input. */
const sign = "[=+\\-@\uff1d\uff0b\uff0d\uff20]";
const formula = new RegExp(`^(?:${sign}|[\\t\\r\\n])`);
/** Some spreadsheets separate cells by semicolons or tabs, even within quotes. */
const laterFormula = new RegExp(`([;\\t\\r\\n]["' ]*)(?=${sign})`, "g");

/**
 * Returns one CSV line (RFC 4180) with its line break. Each formula that a spreadsheet would run gets a
 * leading apostrophe, as OWASP recommends (H-40).
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
