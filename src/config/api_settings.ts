import { wholeNumber } from "./parsers.ts";
import type { Setting } from "./setting.ts";
import { pageOrigins } from "./web_addresses.ts";

export const apiSettings = {
  api_rate_limit: {
    name: "POSTERN_API_RATE_LIMIT",
    default: "0",
    meaning:
      "management API requests per minute for each credential, such as an API key; each process counts separately; 0 means no limit",
    parse: wholeNumber(0, 1_000_000),
  },
  api_origins: {
    name: "POSTERN_API_ORIGINS",
    meaning:
      "up to 20 comma-separated origins whose pages may call the management API, with a token or API key but not with cookies (CORS)",
    parse: pageOrigins,
  },
} satisfies Record<string, Setting<unknown>>;
