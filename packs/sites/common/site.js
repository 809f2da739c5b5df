// What the pages share: reading a collection, filling a table, and never trusting what somebody typed.
const safe = text => String(text ?? "").replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
const read = name => fetch(`/data/${name}.json`).then(answer => answer.json());
const wanted = name => new URLSearchParams(location.search).get(name);
const link = (to, text) => ({ to, text });
const choice = (name, options, chosen) =>
  `<select id="${name}" name="${name}">${options.map(o => `<option${o === (chosen ?? "") ? " selected" : ""} value="${safe(o)}">${safe(o || "nobody")}</option>`).join("")}</select>`;
function fillRows(id, records, cells) {
  document.getElementById(id).innerHTML = records.map(record =>
    `<tr>${cells(record).map(cell => `<td>${cell && cell.to ? `<a href="${safe(cell.to)}">${safe(cell.text)}</a>` : safe(cell)}</td>`).join("")}</tr>`).join("");
}
