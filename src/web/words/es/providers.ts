import { html, type Printable } from "../../html/html.ts";
import type { ProviderWords } from "../en/providers.ts";

export const providerWords: ProviderWords = {
  continueWith: (provider: string) => `Continuar con ${provider}`,
  lastUsed: "Última utilizada",
  or: "o",
  otherWays: "Otras formas de iniciar sesión",
  tryAgain: "Reintentar",
  begin: (provider: string) => `Iniciar sesión con ${provider}`,
  back: "Volver",
  reference: "Para el administrador",
  newAccount: {
    title: "Crea tu cuenta",
    lead: (provider: Printable) =>
      html`Has iniciado sesión con ${provider} y aquí todavía no tienes ninguna cuenta. Se creará esta:`,
    email: "Correo electrónico",
    provider: "Inicias sesión con",
    account: "Cuenta del proveedor",
    memberOf: "Miembro de",
    byLink: (organization) =>
      html`Tienes una invitación a ${organization}. Para unirte, abre el enlace de su correo cuando la cuenta exista.`,
    name: "Nombre",
    nameError: "Escribe un nombre.",
    emailError: "Las cuentas de este servidor no admiten esta dirección. Inicia sesión de otra forma.",
    submit: "Crear la cuenta",
    cancel: "Cancelar",
    existing: "Ya tengo una cuenta aquí",
  },
  prove: {
    title: "¿Ya tienes una cuenta?",
    lead: (provider: Printable) =>
      html`Vienes con una cuenta de ${provider} que aún no está vinculada a ninguna cuenta de aquí.`,
    signIn: "Iniciar sesión como siempre",
    signInLead: "Después te preguntaremos si quieres vincularlas.",
    noMail:
      "Este servidor no puede crearte una cuenta porque no envía correo y no puede comprobar tu dirección. Si no tienes una cuenta aquí, pídesela a un administrador.",
    mailLead: "O demuestra que la dirección de correo es tuya:",
    email: "Correo electrónico",
    send: "Enviar un código",
    code: "Código del correo",
    codeLead: (email, time) => html`Hemos enviado un código a ${email}. Vale ${time}.`,
    useCode: "Continuar",
    sendAgain: "Enviar otro código",
  },
  failures: {
    email: "Escribe una dirección de correo.",
    wrong_code: "El código no es correcto. Revisa el correo.",
    code_ended: "Este código ya no sirve. Envía otro.",
    throttled: "Ha habido demasiadas solicitudes. Inténtalo dentro de unos minutos.",
    no_mail: "Este servidor no envía correo. Inicia sesión como siempre.",
  },
  offerLink: {
    title: "¿Vincular estas cuentas?",
    lead: (provider: Printable, email: Printable) =>
      html`Así también podrás iniciar sesión como ${email} con tu cuenta de ${provider}.`,
    organization: (provider: Printable, organization: Printable) =>
      html`A partir de ahora, ${provider} de ${organization} podrá iniciar tu sesión. Quienes lo gestionan podrían entrar como tú.`,
    account: "Cuenta del proveedor",
    submit: "Vincular",
    skip: "No vincular",
  },
  ask_to_switch: {
    title: "¿Iniciar sesión como otra persona?",
    lead: (present: Printable, other: Printable) =>
      html`Has iniciado sesión como ${present}. Esta cuenta es de ${other}.`,
    submit: (other: Printable) => html`Continuar como ${other}`,
    stay: (present: Printable) => html`Seguir como ${present}`,
  },
  goOn: {
    title: "Ya casi está",
    lead: (provider: Printable) => html`Has vuelto de ${provider}.`,
    submit: "Seguir",
  },
  refusals: {
    failed: {
      title: "No se ha podido iniciar sesión",
      message: (provider: string) => `El inicio de sesión con ${provider} ha fallado.`,
      hint: "Inténtalo de nuevo o inicia sesión de otra forma.",
    },
    unreachable: {
      title: "Sin respuesta",
      message: (provider: string) => `${provider} no responde en este momento.`,
      hint: "Inicia sesión de otra forma o inténtalo más tarde.",
    },
    not_fresh: {
      title: "Inicia sesión de nuevo",
      message: (provider: string) => `Tenías que volver a identificarte y ${provider} no te lo ha pedido.`,
      hint: "Inténtalo de nuevo o inicia sesión de otra forma.",
    },
    cannot_freshen: {
      title: "Inicia sesión de otra forma",
      message: (provider: string) =>
        `La aplicación pide que vuelvas a identificarte y ${provider} no puede pedírtelo.`,
      hint: "Usa tu contraseña o una llave de acceso. Si no tienes ninguna, entra antes en tu cuenta y añade una allí.",
    },
    unsolicited: {
      title: "Empieza el inicio de sesión aquí",
      message: (provider: string) =>
        `Esta respuesta de ${provider} no corresponde a ningún inicio de sesión de este navegador.`,
      hint: "Quizá haya tardado demasiado o haya empezado en otro sitio. Empiézalo aquí.",
    },
    void: {
      title: "Empieza de nuevo",
      message: (provider: string) => `Tu cuenta de ${provider} se ha vinculado o desvinculado entretanto.`,
      hint: "Empieza otra vez y te preguntaremos de nuevo.",
    },
    no_account: {
      title: "Todavía no tienes una cuenta aquí",
      message: (provider: string) => `Solo con ${provider} no puedes crear una cuenta aquí.`,
      hint: "Inicia sesión de otra forma si tienes una cuenta o pídesela a un administrador.",
    },
    refuse_inactive: {
      title: "No puedes iniciar sesión",
      message: (provider: string) =>
        `La cuenta de aquí que corresponde a esta de ${provider} no se puede utilizar.`,
      hint: "Inicia sesión con otra cuenta o consulta a un administrador.",
    },
    beyond_reach: {
      title: "Inicia sesión de otra forma",
      message: (provider: string) => `${provider} no da acceso a esta cuenta.`,
      hint: "Una organización lo gestiona para sus propios miembros, y no para quienes administran algo más.",
    },
    linked_elsewhere: {
      title: "No se ha vinculado",
      message: (provider: string) => `Esta cuenta de ${provider} está vinculada a otra cuenta de aquí.`,
      hint: "Usa otra cuenta del proveedor o desvincúlala donde esté vinculada.",
    },
    other_account: {
      title: "No es tu cuenta vinculada",
      message: (provider: string) => `Esta no es la cuenta de ${provider} vinculada a la tuya.`,
      hint: "Inténtalo de nuevo con esa cuenta.",
    },
    throttled: {
      title: "Un momento, por favor",
      message: (provider: string) => `Se han empezado demasiados inicios de sesión con ${provider}.`,
      hint: "Inténtalo dentro de unos segundos.",
    },
  },
  linking: {
    title: "Vincular otra cuenta",
    lead: "Después podrás iniciar sesión con ella.",
    link: (provider: string) => `Vincular ${provider}`,
    lastWay: "Es tu única forma de iniciar sesión",
    lastWayLead: "Antes pon una contraseña, añade una llave de acceso o vincula otra cuenta.",
  },
  mail: {
    subject: (server: string) => `Tu código para ${server}`,
    lead: (server: string, provider: string) =>
      `Alguien quiere usar esta dirección en ${server} junto con una cuenta de ${provider}. El código es:`,
    minutes: (time) => `Vale ${time}. Escríbelo solo en la página que te lo ha pedido.`,
    other: "Si no has sido tú, no hagas nada: sin el código no pasa nada.",
  },
};
