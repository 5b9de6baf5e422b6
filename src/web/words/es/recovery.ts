import { html } from "../../html/html.ts";
import type { RecoveryWords } from "../en/recovery.ts";
import { plural } from "./plural.ts";

export const recoveryWords: RecoveryWords = {
  title: "He perdido todos mis segundos factores",
  back: "Volver",
  administrator:
    "Administras este servidor. Pide a otro administrador que restablezca tus segundos factores; no hay otra manera.",
  lead: plural({
    one: (figure) =>
      `Sin ninguno de tus segundos factores puedes configurar otros tras esperar ${figure} hora.`,
    other: (figure) =>
      `Sin ninguno de tus segundos factores puedes configurar otros tras esperar ${figure} horas.`,
  }),
  steps: {
    mailbox: "Te enviamos un código por correo para saber que el buzón es tuyo.",
    mails:
      "Te avisamos por correo cuando empieza la espera, a la mitad y al final. Con cada correo se puede cancelar.",
    factors: "Entrar con uno de tus segundos factores también la cancela.",
    after:
      "Después vuelves a este navegador, entras con tu contraseña y configuras segundos factores nuevos.",
  },
  ask: "Enviarme un código",
  asked: (email) => html`Hemos enviado un código a ${email}.`,
  label: "Código del correo",
  help: (time) => `Los dígitos del correo más reciente. Sirven durante ${time}.`,
  wrong: "Este no es el código del correo más reciente.",
  expired: "Este código es demasiado antiguo o hubo demasiados erróneos. Pide otro.",
  throttled: "No se ha enviado ningún código porque se pidieron demasiados. Inténtalo más tarde.",
  begin: "Empezar la espera",
  waiting: (when) => html`La espera ha empezado. Vuelve a este navegador después del ${when}.`,
  told: "Un correo te avisa cuando termine. Si mientras tanto encuentras uno de tus segundos factores, entra con él.",
  elsewhere: (when) =>
    html`En otro navegador empezó una espera hasta el ${when}. Sigue allí, o cancélala con el enlace de su correo y empieza aquí de nuevo.`,
  ready:
    "La espera ha terminado. Tus segundos factores anteriores se quitan y se cierran todas tus sesiones.",
  finish: "Configurar segundos factores nuevos",
  atSignIn: {
    waiting: (when) =>
      html`Esperas segundos factores nuevos. Puedes configurarlos en este navegador después del ${when}. Entrar con uno de los que tienes cancela la espera.`,
    elsewhere: (when) =>
      html`En otro navegador alguien dice que perdió todos tus segundos factores. Podrá configurar otros después del ${when}. Entrar con uno de los que tienes lo cancela.`,
    ready: "La espera ha terminado. Ya puedes configurar segundos factores nuevos.",
    open: "Configurarlos",
    look: "Sobre la espera",
  },
  banner: {
    says: (when) =>
      html`Alguien dice que perdió los segundos factores de tu cuenta. Después del ${when} podrá configurar otros.`,
    cancel: "Cancelarlo",
  },
  link: {
    title: "Conserva tus segundos factores",
    lead: "Alguien espera para sustituir los segundos factores de tu cuenta. Si no eres tú, cancélalo.",
    submit: "Cancelarlo",
    doneTitle: "Cancelado",
    done: "Tus segundos factores se conservan. Alguien conoce tu contraseña y puede leer tu correo: cambia ambas contraseñas.",
    deadTitle: "No hay nada que cancelar",
    dead: "Lo que trataba este enlace ya terminó o se canceló antes.",
    secure: "Proteger tu cuenta",
  },
  code: {
    subject: (server) => `Tu código para ${server}`,
    says: (server) =>
      `Alguien que conoce la contraseña de tu cuenta en ${server} dice que perdió todos sus segundos factores. Con este código puede pedir otros:`,
    caution:
      "No se lo des a nadie y escríbelo solo donde empezaste a entrar. Si no fuiste tú, cambia tu contraseña.",
  },
  mails: {
    recovery_started: (when) =>
      `Se pueden configurar segundos factores nuevos después del ${when}, no antes.`,
    recovery_halfway: (when) =>
      `Se pueden configurar segundos factores nuevos después del ${when}, no antes.`,
    recovery_ready: (when) =>
      `Abre el navegador en el que lo pediste y entra allí. Puedes hacerlo hasta el ${when}.`,
  },
};
