import { html } from "../../html/html.ts";
import type { SudoWords } from "../en/sudo.ts";
import { plural } from "./plural.ts";

export const sudoWords: SudoWords = {
  title: "Confirma que eres tú",
  lead: "Vas a cambiar algo que protege tu cuenta o la de otras personas. Todavía no se ha cambiado nada.",
  password: "Contraseña",
  wrongPassword: "Esta contraseña no es correcta.",
  mailboxLead: (email) => html`Podemos enviar un código a ${email}.`,
  providerLead: "Inicia sesión allí una vez más. Después vuelves aquí.",
  confirmWith: (provider) => `Confirmar con ${provider}`,
  confirmedLead: "Has confirmado que eres tú. Termina lo que empezaste.",
  finish: "Terminar",
  sendAgain: (time) =>
    `Lo que rellenaste era demasiado largo para guardarlo. Vuelve y envíalo otra vez: durante ${time} no se te pedirá nada más.`,
  sendMailCode: "Enviarme un código",
  mailCodeLabel: "Código del correo",
  mailCodeHelp: (time) => `Vale una vez, durante ${time}.`,
  wrongMailCode: "Este código no es correcto o ha caducado.",
  mailSubject: (server) => `Tu código para ${server}`,
  mailAsked: (server) => `Vas a cambiar en ${server} algo que protege tu cuenta. Confírmalo con este código:`,
  mailMinutes: plural({
    one: (figure) => `Vale una vez, durante ${figure} minuto.`,
    other: (figure) => `Vale una vez, durante ${figure} minutos.`,
  }),
  mailOther:
    "Si no has sido tú, otra persona ha iniciado sesión en tu cuenta: cierra tus sesiones y avisa a un administrador del servidor.",
  throttled: "Se ha intentado muchas veces en poco tiempo.",
  changedMeanwhile: "Lo has confirmado en otra ventana en el mismo momento. Confírmalo aquí una vez más.",
  noWay:
    "Tu cuenta no tiene configurado nada con lo que puedas confirmarlo aquí. Un administrador del servidor puede ayudarte.",
  lostPasskey: "Ya no tengo esta llave de acceso",
  cancel: "Cancelar",
  submit: "Confirmar y continuar",
};
