import { html } from "../../html/html.ts";
import type { PlaygroundWords } from "../en/playground.ts";

export const playgroundWords: PlaygroundWords = {
  lead: "Ejecuta desde aquí el flujo de esta aplicación y muestra cada solicitud y cada respuesta tal como viajaron por la red. Los tokens y los secretos se muestran abreviados.",
  begin: "Empezar",
  scopes: "Scopes que pedir",
  signIn: "Iniciar sesión con esta aplicación",
  again: "Iniciar sesión otra vez",
  machine: "Obtener un token con client credentials",
  end: "Terminar la prueba",
  endMeaning: (time) =>
    `Al terminarla se revocan los tokens y el secreto de esta prueba. Si no la terminas, después de ${time} el secreto caduca y los tokens se olvidan.`,
  secretMeaning: (time) =>
    `El botón crea un secreto para esta prueba: vale ${time}, no sale del servidor y no se le muestra a nadie.`,
  consentMeaning: (account) =>
    html`Lo que permitas a esta aplicación seguirá permitido hasta que lo retires en ${account}.`,
  callback: {
    present:
      "Una versión anterior añadió la dirección de sus pruebas a las URI de redirección de la aplicación:",
    remove: "Quitarla",
    removeMeaning:
      "El área de pruebas ya no usa esta URI de redirección. Quítala: cada una de más amplía la superficie de ataque.",
  },
  done: {
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
    own_key:
      "Esta aplicación firma con una clave propia que este servidor no tiene: pruébala con postern perform y --client-key.",
  },
  wrongScopes: "Elige al menos un scope.",
};
