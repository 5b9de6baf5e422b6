import { html, type Printable } from "../../html.ts";
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
    title: "Cree su cuenta",
    lead: (provider: Printable) =>
      html`Nadie tiene aquí todavía esta cuenta de ${provider}. Se creará lo siguiente:`,
    email: "Correo electrónico",
    provider: "Inicia sesión con",
    memberOf: "Miembro de",
    name: "Nombre",
    nameFault: "Escriba un nombre.",
    emailFault: "Las cuentas de este servidor no admiten esta dirección. Inicie sesión de otra forma.",
    submit: "Crear la cuenta",
    existing: "Ya tengo una cuenta aquí",
  },
  prove: {
    title: "¿Ya tiene una cuenta?",
    lead: (provider: Printable) =>
      html`Viene con una cuenta de ${provider} que aún no está vinculada a ninguna cuenta de aquí.`,
    signIn: "Iniciar sesión como siempre",
    signInLead: "Después le preguntaremos si quiere vincularlas.",
    mailLead: "O demuestre que la dirección de correo es suya:",
    email: "Correo electrónico",
    send: "Enviar un código",
    code: "Código del correo",
    codeLead: (email: Printable) =>
      html`Hemos enviado un código de ocho cifras a ${email}. Vale diez minutos.`,
    useCode: "Continuar",
    sendAgain: "Enviar otro código",
  },
  failures: {
    email: "Escriba una dirección de correo.",
    wrong_code: "El código no es correcto. Revise el correo.",
    code_ended: "Este código ya no sirve. Envíe otro.",
    throttled: "Ha habido demasiadas solicitudes. Inténtelo dentro de unos minutos.",
    no_mail: "Este servidor no envía correo. Inicie sesión como siempre.",
  },
  offerLink: {
    title: "¿Vincular estas cuentas?",
    lead: (provider: Printable, email: Printable) =>
      html`Así también podrá iniciar sesión como ${email} con su cuenta de ${provider}.`,
    organization: (provider: Printable, organization: Printable) =>
      html`A partir de ahora, ${provider} de ${organization} podrá iniciar su sesión. Quienes lo gestionan podrían entrar como usted.`,
    account: "Cuenta del proveedor",
    submit: "Vincular",
    skip: "No vincular",
  },
  ask_to_switch: {
    title: "¿Iniciar sesión como otra persona?",
    lead: (present: Printable, other: Printable) =>
      html`Ha iniciado sesión como ${present}. Esta cuenta es de ${other}.`,
    submit: (other: Printable) => html`Continuar como ${other}`,
    stay: (present: Printable) => html`Seguir como ${present}`,
  },
  goOn: {
    title: "Ya casi está",
    lead: (provider: Printable) => html`Ha vuelto de ${provider}.`,
    submit: "Seguir",
  },
  refusals: {
    failed: {
      title: "No se ha podido iniciar sesión",
      message: (provider: string) => `El inicio de sesión con ${provider} ha fallado.`,
      hint: "Inténtelo de nuevo o inicie sesión de otra forma.",
    },
    unreachable: {
      title: "Sin respuesta",
      message: (provider: string) => `${provider} no responde en este momento.`,
      hint: "Inicie sesión de otra forma o inténtelo más tarde.",
    },
    not_fresh: {
      title: "Inicie sesión de nuevo",
      message: (provider: string) => `Tenía que volver a identificarse y ${provider} no se lo ha pedido.`,
      hint: "Inténtelo de nuevo o inicie sesión de otra forma.",
    },
    cannot_freshen: {
      title: "Inicie sesión de otra forma",
      message: (provider: string) =>
        `La aplicación pide que vuelva a identificarse y ${provider} no puede pedírselo.`,
      hint: "Use su contraseña o una llave de acceso. Puede crear una contraseña por correo: elija allí «¿Olvidaste tu contraseña?».",
    },
    unsolicited: {
      title: "Empiece el inicio de sesión aquí",
      message: (provider: string) =>
        `Esta respuesta de ${provider} no corresponde a ningún inicio de sesión de este navegador.`,
      hint: "Quizá haya tardado demasiado o haya empezado en otro sitio. Empiécelo aquí.",
    },
    void: {
      title: "Empiece de nuevo",
      message: (provider: string) => `Su cuenta de ${provider} se ha vinculado o desvinculado entretanto.`,
      hint: "Empiece otra vez y le preguntaremos de nuevo.",
    },
    no_account: {
      title: "Todavía no tiene una cuenta aquí",
      message: (provider: string) => `Solo con ${provider} no puede crear una cuenta aquí.`,
      hint: "Inicie sesión de otra forma si tiene una cuenta o pídasela a un administrador.",
    },
    refuse_inactive: {
      title: "No puede iniciar sesión",
      message: (provider: string) =>
        `La cuenta de aquí que corresponde a esta de ${provider} no se puede utilizar.`,
      hint: "Inicie sesión con otra cuenta o consulte a un administrador.",
    },
    beyond_reach: {
      title: "Inicie sesión de otra forma",
      message: (provider: string) => `${provider} no da acceso a esta cuenta.`,
      hint: "Una organización lo gestiona para sus propios miembros, y no para quienes administran algo más.",
    },
    linked_elsewhere: {
      title: "No se ha vinculado",
      message: (provider: string) => `Esta cuenta de ${provider} está vinculada a otra cuenta de aquí.`,
      hint: "Use otra cuenta del proveedor o desvincúlela donde esté vinculada.",
    },
    other_account: {
      title: "No es su cuenta vinculada",
      message: (provider: string) => `Esta no es la cuenta de ${provider} vinculada a la suya.`,
      hint: "Inténtelo de nuevo con esa cuenta.",
    },
    throttled: {
      title: "Un momento, por favor",
      message: (provider: string) => `Se han empezado demasiados inicios de sesión con ${provider}.`,
      hint: "Inténtelo dentro de unos segundos.",
    },
  },
  linking: {
    title: "Vincular otra cuenta",
    lead: "Después podrá iniciar sesión con ella.",
    link: (provider: string) => `Vincular ${provider}`,
    lastWay: "Es su única forma de iniciar sesión",
    lastWayLead: "Antes ponga una contraseña, añada una llave de acceso o vincule otra cuenta.",
  },
  mail: {
    subject: (server: string) => `Su código para ${server}`,
    lead: (server: string, provider: string) =>
      `Alguien quiere usar esta dirección en ${server} junto con una cuenta de ${provider}. El código es:`,
    minutes: "Vale diez minutos. Escríbalo solo en la página que se lo ha pedido.",
    other: "Si no ha sido usted, no haga nada: sin el código no pasa nada.",
  },
};
