import { html, type Printable } from "../html.ts";
import type { Language } from "./language.ts";

/** The trial of an app from the console. */
const en = {
  title: "Try it",
  lead: "Runs the flow of this app from here and shows every request and answer, as they went over the wire. Tokens and secrets are shown shortened.",
  begin: "Begin",
  scopes: "Scopes to ask for",
  signIn: "Sign in with this app",
  again: "Sign in once more",
  machine: "Get a token with client credentials",
  end: "End the trial",
  endMeaning:
    "Ending it revokes the tokens and the secret of this trial. Left alone, the secret expires after 15 minutes and the tokens are forgotten.",
  secretMeaning:
    "The button makes a secret for this trial: it is good for 15 minutes, stays on the server, and nobody is shown it.",
  consentMeaning: (account: Printable) =>
    html`What you allow this app stays allowed until you withdraw it under ${account}.`,
  callback: {
    missing:
      "For the trial the browser must come back here, and this address is not among the app's redirect URIs yet:",
    add: "Add it",
    addMeaning:
      "Until it is taken away again, codes of this app may also be sent to this page, to whoever is signed in here.",
    present: "The address of the trial is among the app's redirect URIs:",
    remove: "Take it away",
    removeMeaning: "Take it away when you are done: a redirect URI that nobody needs is one too many.",
  },
  done: {
    added: "The address was added to the redirect URIs.",
    removed: "The address was taken away from the redirect URIs.",
    ended: "The trial has ended: its tokens and its secret are revoked.",
    gone: "That trial is over. Begin a new one.",
  },
  unable: {
    revoked: "This app was revoked, so that there is nothing to try.",
    inactive: "This app is switched off. It can be tried when it is active again.",
    no_grants: "Neither the code flow nor client credentials are allowed for this app.",
    no_scopes: "The app is allowed no scope that can be asked for.",
    public_machine: "A public app has no secret, so that it cannot use client credentials.",
  },
  wrongScopes: "Choose at least one scope.",
};

export type TryWords = typeof en;

const es: TryWords = {
  title: "Probarla",
  lead: "Ejecuta desde aquí el flujo de esta aplicación y muestra cada solicitud y cada respuesta tal como viajaron por la red. Los tokens y los secretos se muestran abreviados.",
  begin: "Empezar",
  scopes: "Scopes que pedir",
  signIn: "Iniciar sesión con esta aplicación",
  again: "Iniciar sesión otra vez",
  machine: "Obtener un token con client credentials",
  end: "Terminar la prueba",
  endMeaning:
    "Al terminarla se revocan los tokens y el secreto de esta prueba. Si no la terminas, a los 15 minutos el secreto caduca y los tokens se olvidan.",
  secretMeaning:
    "El botón crea un secreto para esta prueba: vale 15 minutos, no sale del servidor y no se le muestra a nadie.",
  consentMeaning: (account) =>
    html`Lo que permitas a esta aplicación seguirá permitido hasta que lo retires en ${account}.`,
  callback: {
    missing:
      "Para la prueba, el navegador debe volver aquí, y esta dirección aún no está entre las URI de redirección de la aplicación:",
    add: "Añadirla",
    addMeaning:
      "Hasta que se quite, los códigos de esta aplicación también podrán enviarse a esta página, a quien tenga aquí la sesión iniciada.",
    present: "La dirección de la prueba está entre las URI de redirección de la aplicación:",
    remove: "Quitarla",
    removeMeaning: "Quítala cuando termines: una URI de redirección que nadie necesita está de más.",
  },
  done: {
    added: "La dirección se ha añadido a las URI de redirección.",
    removed: "La dirección se ha quitado de las URI de redirección.",
    ended: "La prueba ha terminado: sus tokens y su secreto están revocados.",
    gone: "Esa prueba ya terminó. Empieza otra.",
  },
  unable: {
    revoked: "Esta aplicación fue revocada, así que no hay nada que probar.",
    inactive: "Esta aplicación está desactivada. Podrá probarse cuando vuelva a estar activa.",
    no_grants: "Esta aplicación no tiene permitidos ni el flujo de código ni client credentials.",
    no_scopes: "La aplicación no tiene permitido ningún scope que se pueda pedir.",
    public_machine: "Una aplicación pública no tiene secreto, así que no puede usar client credentials.",
  },
  wrongScopes: "Elige al menos un scope.",
};

const zh: TryWords = {
  title: "试用",
  lead: "从这里运行此应用的流程，并按实际传输的样子显示每个请求和响应。令牌和密钥只显示缩略形式。",
  begin: "开始",
  scopes: "要请求的范围",
  signIn: "用此应用登录",
  again: "再登录一次",
  machine: "用客户端凭据获取令牌",
  end: "结束试用",
  endMeaning: "结束时会撤销此次试用的令牌和密钥。如不结束，15 分钟后密钥会过期，令牌也不再保存。",
  secretMeaning: "此按钮会为试用创建一个密钥：有效期 15 分钟，只保存在服务器上，不会显示给任何人。",
  consentMeaning: (account) => html`您对此应用的许可会一直有效，直到您在${account}中撤回。`,
  callback: {
    missing: "试用时浏览器必须返回这里，而此地址还不在应用的重定向 URI 之中：",
    add: "添加",
    addMeaning: "在移除之前，此应用的授权码也可以发送到本页面，交给在此登录的人。",
    present: "试用的地址已在应用的重定向 URI 之中：",
    remove: "移除",
    removeMeaning: "用完请移除：没有人需要的重定向 URI 就是多余的。",
  },
  done: {
    added: "该地址已添加到重定向 URI。",
    removed: "该地址已从重定向 URI 中移除。",
    ended: "试用已结束：其令牌和密钥均已撤销。",
    gone: "那次试用已经结束。请重新开始。",
  },
  unable: {
    revoked: "此应用已被撤销，没有可试用的内容。",
    inactive: "此应用已停用。重新启用后即可试用。",
    no_grants: "此应用既不允许授权码流程，也不允许客户端凭据。",
    no_scopes: "此应用没有可以请求的获准范围。",
    public_machine: "公共应用没有密钥，因此不能使用客户端凭据。",
  },
  wrongScopes: "请至少选择一个范围。",
};

export const tryWords: Readonly<Record<Language, TryWords>> = { en, es, zh };
