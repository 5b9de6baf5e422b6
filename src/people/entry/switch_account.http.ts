import { loginHref } from "../core/pages/login_href.view.ts";

/**
 * Returns the same authorization request with `prompt=select_account`, the target of "Use another account".
 * `url` is the path and query of a valid request, so it contains `prompt` at most once.
 */
export function withAccountChoice(url: string): string {
  const question = url.indexOf("?");
  const path = question === -1 ? url : url.slice(0, question);
  const parts = question === -1 ? [] : url.slice(question + 1).split("&");
  const isPrompt = (part: string) => new URLSearchParams(part).has("prompt");
  const prompt = parts.flatMap((part) => new URLSearchParams(part).get("prompt")?.split(" ") ?? []);
  const requested = new Set([...prompt.filter((value) => value !== ""), "select_account"]);
  const others = parts.filter((part) => part !== "" && !isPrompt(part));
  return `${path}?${[...others, `prompt=${[...requested].map(encodeURIComponent).join("+")}`].join("&")}`;
}

/**
 * Returns the login page for a user who is already signed in. Parameters next to a pushed request's
 * reference are ignored, so `prompt` cannot be added there. `location` is the complete URL of the request.
 */
export function withAnotherSignIn(location: string): string {
  return `${loginHref(location)}&account=another`;
}
