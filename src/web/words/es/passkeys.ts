import { html } from "../../html/html.ts";
import type { PasskeyWords } from "../en/passkeys.ts";

export const passkeyWords: PasskeyWords = {
  signIn: "Iniciar sesión con una llave de acceso",
  use: "Usar una llave de acceso",
  anotherWay: "De otra forma",
  cancelled: "No se ha usado ninguna llave de acceso. Inténtalo de nuevo o elige otra forma.",
  known: "Este dispositivo ya tiene una llave de acceso para tu cuenta.",
  unable: "Las llaves de acceso necesitan un navegador actual con JavaScript activado.",
  failures: {
    refused: "Esa llave de acceso no se ha aceptado. Inténtalo de nuevo o elige otra forma.",
    unknown: "Este servidor no conoce esa llave de acceso. Puede que se haya eliminado.",
    expired: "Ha tardado demasiado. Inténtalo de nuevo.",
    second_factor_only:
      "Esa llave de acceso solo confirma un inicio de sesión. Inicia sesión primero con tu contraseña y úsala después.",
    counter:
      "Esa llave de acceso ha respondido como si la hubieran copiado, así que no se ha aceptado. Elige otra forma y sustituye la llave.",
    taken: "Esa llave de acceso ya está registrada.",
    too_many: "Tienes tantas llaves de acceso como guarda este servidor. Elimina una primero.",
    last_way: "Es tu única forma de iniciar sesión, así que no se puede eliminar.",
  },
  tooYoung: (time) =>
    `Una llave de acceso que no tiene aún ${time} no sirve para esto. Usa una más antigua o vuelve a intentarlo más tarde.`,
  card: {
    title: "Llaves de acceso",
    lead: "Con una llave de acceso inicias sesión con tu huella, tu cara o el PIN de tu dispositivo. Nadie puede adivinarla ni sacártela con engaños.",
    none: "Todavía no tienes ninguna llave de acceso.",
    name: "Nombre",
    synced: "Sincronizada",
    deviceOnly: "Solo en este dispositivo",
    securityKey: "Solo como segundo factor",
    added: "Añadida",
    lastUsed: "Último uso",
    never: "Nunca",
    rename: "Cambiar el nombre",
    renameOf: (name) => html`Cambiar el nombre: ${name}`,
    remove: "Eliminar",
    removeOf: (name) => html`Eliminar: ${name}`,
    add: "Añadir una llave de acceso",
    addKey: "Añadir una llave de seguridad",
    single:
      "Una llave de acceso en un solo dispositivo es tu única forma de iniciar sesión. Si pierdes el dispositivo, pierdes la cuenta: añade otra llave de acceso o establece una contraseña.",
    upgrades:
      "Tu navegador puede añadir una llave de acceso por sí mismo cuando inicias sesión con tu contraseña y un código. Esto vale solo para este navegador.",
    allowUpgrades: "Permitir que este navegador añada llaves de acceso",
    forbidUpgrades: "No añadir más llaves de acceso en este navegador",
  },
  enrol: {
    title: "Añadir una llave de acceso",
    lead: "Tu navegador te pedirá que confirmes con tu huella, tu cara o el PIN de tu dispositivo.",
    keyTitle: "Añadir una llave de seguridad",
    keyLead: "Una llave de seguridad confirma un inicio de sesión con tu contraseña. Tenla a mano.",
    name: "Nombre",
    nameHelp: "Para que la reconozcas en tu lista.",
    suggested: "Mi llave de acceso",
    suggestedKey: "Mi llave de seguridad",
    submit: "Crear la llave de acceso",
    submitKey: "Registrar la llave de seguridad",
  },
  renaming: {
    title: "Cambiar el nombre de la llave de acceso",
    submit: "Guardar",
  },
  removing: {
    title: (name) => `¿Eliminar ${name}?`,
    lead: "Ya no podrás iniciar sesión con ella. Se cerrará la sesión en todos los lugares donde la hayas usado para entrar.",
    submit: "Eliminar la llave de acceso",
  },
  first: {
    lead: "Con una llave de acceso inicias sesión con tu huella, tu cara o el PIN de tu dispositivo, sin contraseña.",
    submit: "Crear una llave de acceso en su lugar",
  },
  upgrade: {
    title: "Un momento",
    lead: "Puede que tu navegador añada una llave de acceso para que la próxima vez inicies sesión más rápido.",
    goOn: "Continuar",
  },
  offer: {
    title: "Inicia sesión más rápido la próxima vez",
    lead: "Con una llave de acceso inicias sesión con tu huella, tu cara o el PIN de tu dispositivo, sin contraseña.",
    later: "Ahora no",
  },
};
