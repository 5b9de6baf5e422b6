// This code never has a token, because the server adds the token to each API call.
const find = (id) => document.getElementById(id);

// Forms and images of other sites cannot send this header.
const bff = (path, method = "GET") => fetch(`/bff${path}`, { method, headers: { "x-csrf": "1" } });

function show(user) {
  find("who").textContent = user === undefined ? "Signed out" : `Signed in as ${user.name ?? user.sub}`;
  find("sign-in").hidden = user !== undefined;
  find("load").hidden = find("sign-out").hidden = user === undefined;
}

const answer = await bff("/user");
show(answer.ok ? await answer.json() : undefined);

find("load").onclick = async () => {
  const loaded = await bff("/profile");
  if (loaded.status === 401) return show(undefined);
  find("profile").textContent = await loaded.text();
};
find("sign-out").onclick = async () => {
  const ended = await bff("/logout", "POST");
  location.assign((await ended.json()).continue_at);
};
