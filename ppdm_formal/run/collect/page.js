// The collector's page: asks for the estimate every two seconds, and shows it.
//
// The token comes in the address behind #, which no browser sends, and is kept for this tab.

const KEY = "ppdm-token";
if (location.hash.length > 1) {
  sessionStorage.setItem(KEY, location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}
const token = sessionStorage.getItem(KEY) ?? "";
const at = (id) => document.getElementById(id);
const grouped = (number) => number.toLocaleString("en");

async function asked(path, method = "GET") {
  const answer = await fetch(path, { method, headers: { authorization: `Bearer ${token}` } });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${said.error}: ${said.remedy}.`);
  return said;
}

function show(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

function state(text, wrong = false) {
  show("state", text);
  at("state").classList.toggle("wrong", wrong);
}

const percent = (share) => `${(100 * share).toFixed(2)}%`;

function cell(row, text, number = false) {
  const one = row.insertCell();
  one.textContent = text;
  if (number) one.className = "number";
  return one;
}

function drawn(cells) {
  const low = Math.min(0, ...cells.map((one) => one.lo));
  const high = Math.max(0.01, ...cells.map((one) => one.hi));
  const place = (share) => `${(100 * (share - low)) / (high - low)}%`;
  const rows = cells.map((one) => {
    const row = document.createElement("tr");
    cell(row, one.value);
    cell(row, percent(one.estimate), true);
    cell(row, `${percent(one.lo)} to ${percent(one.hi)}`, true);
    const chart = document.createElement("div");
    chart.className = "chart";
    const span = chart.appendChild(document.createElement("i"));
    span.style.left = place(one.lo);
    span.style.width = `${(100 * (one.hi - one.lo)) / (high - low)}%`;
    chart.appendChild(document.createElement("b")).style.left = place(one.estimate);
    cell(row, "").appendChild(chart);
    return row;
  });
  at("estimate").tBodies[0].replaceChildren(...rows);
  at("estimate").hidden = !rows.length;
}

function told(said) {
  show("rows", grouped(said.rows));
  show("in-window", grouped(said.in_window));
  show("window", String(said.window));
  show("about", said.note);
  show("level", `${said.level} interval`);
  const left = said.values - said.cells.length;
  show("more", left > 0 ? `The ${grouped(said.cells.length)} most frequent of ${grouped(said.values)} values.` : "");
  drawn(said.cells);
  at("close").disabled = !said.in_window;
}

async function refresh() {
  try {
    if (document.visibilityState === "visible") {
      told(await asked("/estimate"));
      state("Collecting.");
    }
  } catch (problem) {
    const gone = problem instanceof TypeError;
    state(gone ? "The collector does not answer: it may have ended." : problem.message, true);
  }
  setTimeout(refresh, 2000);
}

at("close").addEventListener("click", async () => {
  at("close").disabled = true;
  try {
    show("closing", `Closing window ${(await asked("/close", "POST")).closing}; its file is in the folder.`);
  } catch (problem) {
    show("closing", problem.message);
  }
});

const about = await (await fetch("/collection")).json();
show("operator", about.name);
show("reports", about.reports);
show("model", `${about.model} (SHA-256 ${about.model_sha256.slice(0, 16)}…)`);
show("digest", about.operator);
document.title = `${about.name}: collecting reports`;
refresh();
