import { html } from "../../html.ts";
import type { LoginWords } from "../en/login.ts";

export const loginWords: LoginWords = {
  title: "Iniciar sesión",
  lead: "con tu dirección de correo electrónico y tu contraseña",
  leadTo: (client) => html`para continuar a ${client}`,
  email: "Correo electrónico",
  password: "Contraseña",
  submit: "Iniciar sesión",
  failures: {
    refused: "El correo electrónico y la contraseña no coinciden.",
    throttled: "Ha habido demasiados intentos.",
    out_of_date: "El formulario había caducado. Inténtalo de nuevo.",
  },
  why: "Así nadie puede ir probando contraseñas. Todo lo demás sigue igual.",
  againIn: (time) => `Puedes volver a intentarlo en ${time}.`,
  seconds: (count) => (count === 1 ? "1 segundo" : `${count} segundos`),
  minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
};
