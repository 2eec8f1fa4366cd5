/// The CSS of every page, except for drawings.
enum ReportStyleSheet {
  static let text = """
    :root{--bg:#fbfaf8;--card:#fff;--ink:#1c1b19;--soft:#66625b;--rule:#e4e0d8;--accent:#1d4fd8;\
    --right:#15803d;--wrong:#c42b1c;--fill:#dfe7fb;--shade:#0003}
    @media(prefers-color-scheme:dark){:root{--bg:#141413;--card:#1e1e1c;--ink:#ecebe7;--soft:#a09c94;\
    --rule:#34332f;--accent:#7aa7ff;--right:#4fc47f;--wrong:#ff7b6b;--fill:#26365c;--shade:#fff3}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    body{margin:0 auto;max-width:1160px;padding:0 20px 64px;background:var(--bg);color:var(--ink);\
    font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;\
    font-variant-numeric:tabular-nums}
    header{padding:40px 0 8px}
    h1{font-size:clamp(26px,5vw,38px);line-height:1.15;letter-spacing:-.02em;margin:0 0 12px;\
    overflow-wrap:anywhere}
    h2{font-size:24px;letter-spacing:-.01em;margin:56px 0 8px;padding-top:20px;\
    border-top:1px solid var(--rule);overflow-wrap:anywhere}
    h3{font-size:17px;margin:32px 0 6px}
    h4{font-size:15px;margin:0 0 6px}
    figure{margin:0}
    code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
    overflow-wrap:anywhere}
    .kind{margin:0 0 4px;color:var(--soft);font-size:14px}
    .source{margin:2px 0;color:var(--soft)}
    .lead{max-width:68ch;color:var(--soft);margin:0 0 16px}
    .hash,footer{color:var(--soft);font-size:13px;overflow-wrap:anywhere}
    footer{margin-top:56px;border-top:1px solid var(--rule)}
    nav{display:flex;flex-wrap:wrap;gap:4px 18px;margin:16px 0 24px;font-size:15px}
    a{color:var(--accent);text-underline-offset:3px}
    .tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:12px;margin:0 0 16px}
    .tile{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:12px 14px}
    .tile.main{grid-column:span 2}
    .tile dt{color:var(--soft);font-size:13px}
    .tile dd{margin:2px 0 0;font-size:22px;font-weight:600;letter-spacing:-.01em}
    .tile.main dd{font-size:38px;line-height:1.15}
    .tile p{margin:2px 0 0;color:var(--soft);font-size:13px}
    .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:24px}
    .charts+table{margin-top:20px}
    .charts h3,.charts h4{margin-top:8px}
    figcaption{color:var(--soft);font-size:14px;max-width:60ch}
    .chart{display:block;width:100%;max-width:620px;height:auto}
    .chart text,.matrix text{fill:var(--soft);font-size:12px;dominant-baseline:central}
    .matrix text{fill:var(--ink);font-size:inherit}
    .chart .name{fill:var(--ink)}
    .mid{text-anchor:middle}.end{text-anchor:end}
    .chart .grid{stroke:var(--rule)}
    .chart .axis{stroke:var(--soft)}
    .chart .curve{fill:none;stroke:var(--accent);stroke-width:2.25;stroke-linejoin:round}
    .chart .reference{fill:none;stroke:var(--soft);stroke-dasharray:4 4}
    .chart .dot{fill:var(--accent);stroke:var(--bg);stroke-width:1}
    .chart .see{fill-opacity:.7}
    .chart .column{fill:var(--accent);fill-opacity:.75}
    .chart .faint{fill:var(--soft);fill-opacity:.22}
    .matrix{display:block;max-width:100%;height:auto}
    .matrix .field{fill:var(--card);stroke:var(--rule)}
    .matrix .right{fill:var(--right)}.matrix .wrong{fill:var(--wrong)}
    .matrix .mid{font-size:12px}.matrix g .mid{font-size:inherit}
    .matrix .on{fill:var(--bg)}
    .scroll{overflow-x:auto;max-width:100%;background:linear-gradient(to right,var(--bg) 40%,transparent) \
    local,linear-gradient(to left,var(--bg) 40%,transparent) 100% 0 local,\
    linear-gradient(to right,var(--shade),transparent),\
    linear-gradient(to left,var(--shade),transparent) 100% 0;\
    background-repeat:no-repeat;background-size:36px 100%,36px 100%,12px 100%,12px 100%}
    table{border-collapse:collapse;width:100%;max-width:900px;font-size:15px}
    th,td{padding:5px 12px 5px 0;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap}
    th:first-child,td.list,thead th.list{text-align:left}th.list,td.list{padding-left:12px}
    thead th{color:var(--soft);font-size:13px;font-weight:500}
    tbody th{font-weight:600;max-width:16em;overflow:hidden;text-overflow:ellipsis}
    table.text{max-width:none}.text th,.text td{text-align:left;white-space:normal;vertical-align:top}
    .bar{background:linear-gradient(var(--fill),var(--fill)) right center/var(--p) 100% no-repeat;background-origin:content-box}
    .list{white-space:normal;color:var(--soft)}
    .list span{display:inline-block;margin-right:10px}.list bdi{color:var(--ink)}
    details{margin:8px 0}summary{cursor:pointer;color:var(--accent);padding:6px 0}
    .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(164px,1fr));gap:12px}
    .card{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:10px 12px;\
    min-width:0}
    .card .ink{margin:0 auto 6px}
    .card p{margin:0;overflow-wrap:anywhere;line-height:1.3}
    .line{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:10px 14px;\
    margin-bottom:12px;overflow-x:auto}
    .line[dir=rtl] figcaption{max-width:none}
    .line .tag{display:inline-block;width:4.6em;font-size:13px;opacity:.7}.line bdi{white-space:pre-line}
    .truth,.read{font-weight:700;font-size:18px}
    .truth{color:var(--right)}.read{color:var(--wrong)}
    .as,.by{color:var(--soft);font-size:13px}
    .card ol{list-style:none;margin:6px 0;padding:0;font-size:13px}
    .card li{display:flex;justify-content:space-between;gap:8px;padding:0 4px;background:linear-gradient(\
    var(--fill),var(--fill)) 0 50%/var(--p) 84% no-repeat}
    .card li bdi{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .card .true bdi{color:var(--right);font-weight:700}
    .pairs{list-style:none;display:flex;flex-wrap:wrap;gap:8px;padding:0;margin:0 0 20px}
    .pairs li{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:3px 10px;\
    overflow-wrap:anywhere}
    .pairs b{margin-left:6px;font-weight:500;color:var(--soft)}
    .facts{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;align-content:start;margin:12px 0;\
    max-width:420px}
    .facts dt{color:var(--soft)}.facts dd{margin:0;text-align:right;font-weight:600}
    .facts.wide{max-width:620px}
    .samples{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,330px),1fr));gap:12px}
    .sample{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:10px 12px;\
    min-width:0}
    .sample h4{display:flex;justify-content:space-between;gap:8px;overflow-wrap:anywhere}
    .sample h4 span{color:var(--soft);font-weight:400}
    .inks{display:flex;flex-wrap:wrap;gap:4px}
    @media(max-width:480px){body{padding:0 14px 48px}header{padding-top:24px}\
    .cards{grid-template-columns:repeat(2,1fr)}.card{padding:8px}\
    .tiles{grid-template-columns:repeat(2,1fr)}.chart text{font-size:15px}}

    """
}
