#!/usr/bin/env bash
# Follows docs/put-it-online.md on a bare Debian: npm run test:deep -- machine. Runs the document's
# commands literally, with the files in examples/, and fails if the document no longer contains one of
# them. systemd doesn't run here, so the script starts the units' commands itself. Needs root, Debian, a
# network and mmdebstrap. Cleans up afterward.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
suite=${SUITE:-trixie}

if [ "${1:-}" != inside ]; then
  place=$(mktemp -d /tmp/machine-XXXXXX)
  trap 'rm -rf --one-file-system "$place"' EXIT
  root=$place/root
  # Packages that every Debian server has, and those that the document requires.
  packages=ca-certificates,git,nodejs,npm,libatomic1,systemd,openssl,curl,iproute2,time
  if [ -n "${MACHINE_BASE:-}" ]; then
    mkdir "$root" && tar -C "$root" -xf "$MACHINE_BASE" --exclude='./dev/*'
  else
    current=$(. /etc/os-release && echo "$VERSION_CODENAME")
    sources=$place/sources
    { cat /etc/apt/sources.list.d/debian.sources 2>/dev/null || cat /etc/apt/sources.list; } |
      sed "s/$current/$suite/g" >"$sources"
    mmdebstrap --quiet --variant=minbase --include=$packages \
      --aptopt='Apt::Install-Recommends "false"' "$suite" "$root" "$sources"
  fi
  # Gives the new root this machine's network settings.
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  find /etc/apt/apt.conf.d -name '99*' -exec cp -t "$root/etc/apt/apt.conf.d/" {} +
  git clone -q "$here" "$root/root/project"
  export root packages
  enter='chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt PACKAGES="$packages" \
    bash /root/project/tests/machine/put-it-online.sh inside'
  mounts='mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"'
  unshare --mount --pid --fork --kill-child bash -euc "$mounts; $enter install"
  # A separate network namespace has free ports and can load a firewall.
  unshare --mount --pid --net --fork --kill-child bash -euc "$mounts; $enter serve"
  exit
fi

document=/root/project/docs/put-it-online.md
# Lets systemctl install units without a running systemd.
export SYSTEMD_OFFLINE=1
sudo() { "$@"; }
say() { printf '\n%s  %s\n' "$(date +%T)" "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

# Runs a command from the document. The optional FROM=TO pairs replace placeholders.
step() {
  local command=$1 pair
  grep -qF -- "$command" "$document" /root/project/examples/campus-ride.env || fail "not in the document: $command"
  shift
  # Without a running systemd, units can be enabled but not started.
  command=${command//enable --now/enable}
  for pair in "$@"; do command=${command//"${pair%%=*}"/"${pair#*=}"}; done
  say "\$ $command"
  eval "$command"
}

# Runs a unit's ExecStart as the unit's user with its environment. Only the unit's folders are writable,
# as with ProtectSystem=strict.
run_unit() {
  local file=/etc/systemd/system/$1 user line name folders=""
  value() { sed -n "s/^$1=//p" "$file"; }
  user=$(value User)
  for name in $(value StateDirectory); do
    install -d -m 0700 ${user:+-o "$user" -g "$user"} "/var/lib/$name"
    folders+=" /var/lib/$name"
  done
  for name in $(value CacheDirectory); do
    install -d -m 0700 ${user:+-o "$user" -g "$user"} "/var/cache/$name"
    folders+=" /var/cache/$name"
  done
  local settings=()
  for line in $(value Environment); do settings+=("$line"); done
  for name in $(value EnvironmentFile); do
    while IFS= read -r line; do settings+=("$line"); done < <(grep -E '^[A-Z_]+=.' "$name")
  done
  export folders command="cd '$(value WorkingDirectory)'; umask 0077; exec $(value ExecStart)"
  exec unshare --mount --propagation unchanged bash -euc '
    mount -t tmpfs none /tmp
    for folder in $folders; do mount --bind "$folder" "$folder"; done
    for folder in /usr /etc /srv; do mount --bind "$folder" "$folder"; mount -o remount,bind,ro "$folder"; done
    exec setpriv --no-new-privs --inh-caps=-all "$@" bash -c "$command"
  ' - ${user:+--reuid "$user" --regid "$user" --clear-groups --bounding-set=-all} \
    env -i HOME=/nonexistent PATH=/usr/bin:/bin "${settings[@]}"
}

answers() { curl -fsS --max-time 30 --cacert /etc/ca.crt --resolve rides.localhost:443:127.0.0.1 "$@"; }
site=https://rides.localhost
wait_for() { for _ in $(seq 120); do "$@" >/dev/null 2>&1 && return; sleep 1; done; fail "no answer: $*"; }
# A page's text without tags, because elements split the headline.
words_of() { answers "$@" | sed 's/<[^>]*>/ /g' | tr -s ' \n' ' '; }
start_site() {
  run_unit campus-ride.service >>/var/log/site.log 2>&1 &
  server=$!
  wait_for curl -fsS http://127.0.0.1:3000/livez
}
stop_site() { kill "$server"; wait "$server" || fail "SIGTERM: status $?"; }
# Runs one of the site's commands, as systemd-run does in the document.
as_site() {
  (cd /srv/campus-ride && setpriv --reuid campus-ride --regid campus-ride --clear-groups env -i PATH="$PATH" \
    HOME=/var/lib/campus-ride DATA_DIR=/var/lib/campus-ride $(grep -E '^[A-Z_]+=.' /etc/campus-ride.env) "$@")
}

install_all() {
  say "Debian $(cat /etc/debian_version), Node $(node --version), npm $(npm --version)"
  apt-get update -qq
  apt-get install -qqy --no-install-recommends ${PACKAGES//,/ } caddy nginx-light rsync >/dev/null
  cd /root/project
  git config --global user.email admin@localhost && git config --global user.name Admin
  git checkout -q -B live
  step "git clone <your fork> /srv/campus-ride && cd /srv/campus-ride" "<your fork>=--quiet /root/project"
  step "npm run build" "npm run build=/usr/bin/time -f 'The largest process of the build: %M KB' npm run build" 2>&1 |
    tail -n 2
  step "sudo useradd --system --home-dir /var/lib/campus-ride --shell /usr/sbin/nologin campus-ride"
  step "sudo apt install systemd-timesyncd unattended-upgrades nftables" "install=install -qqy --no-install-recommends" >/dev/null 2>&1
  step "sudo dpkg-reconfigure --priority=low unattended-upgrades"
  [[ $(apt-config dump APT::Periodic::Unattended-Upgrade) == *'"1"'* ]] || fail "upgrades are not on"
  systemctl is-enabled systemd-timesyncd unattended-upgrades
}

serve() {
  cd /srv/campus-ride
  ip link set lo up

  say "Settings"
  cp examples/campus-ride.env /etc/campus-ride.env && chmod 600 /etc/campus-ride.env
  local key seal
  key=$(step 'echo "1:$(openssl rand 32 | basenc --base64url | tr -d =)"' | tail -n 1)
  step "npm run store -- backup new-key backup-key" "backup-key=/root/backup-key" | tee /tmp/seal
  seal=$(grep -oE '[A-Za-z0-9_-]{40,}' /tmp/seal | tail -n 1)
  sed -i -e "s|^PUBLIC_URL=.*|PUBLIC_URL=$site|" -e "s|^SECRET_KEYS=.*|SECRET_KEYS=$key|" \
    -e "s|^SMTP_URL=.*|SMTP_URL=smtp://127.0.0.1:2525|" -e "s|^MAIL_FROM=.*|MAIL_FROM=rides@localhost.example|" \
    -e "s|^OPERATOR_MAIL=.*|OPERATOR_MAIL=team@localhost.example|" -e "s|^BACKUP_KEY=.*|BACKUP_KEY=$seal|" \
    -e "s|^METRICS_PORT=.*|METRICS_PORT=9464|" /etc/campus-ride.env
  # The local mail server has no TLS.
  echo SMTP_TLS=optional >>/etc/campus-ride.env
  node /root/project/tests/machine/mail-server.mjs 2525 /tmp/emails &

  say "A proxy for TLS"
  # Caddy signs certificates for .localhost names itself, without a certificate authority.
  sed 's/rides\.your-campus\.example/rides.localhost/' examples/caddy/Caddyfile >/etc/caddy/Caddyfile
  caddy run --config /etc/caddy/Caddyfile >/var/log/caddy.log 2>&1 &
  openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=rides.localhost -keyout /tmp/key -out /tmp/certificate 2>/dev/null
  sed -E -e 's/rides\.your-campus\.example/rides.localhost/g' -e 's|(ssl_certificate) .*;|\1 /tmp/certificate;|' \
    -e 's|(ssl_certificate_key) .*;|\1 /tmp/key;|' examples/nginx/campus-ride.conf >/etc/nginx/conf.d/campus-ride.conf
  rm /etc/nginx/sites-enabled/default
  nginx -t

  say "A service"
  step "sudo cp examples/systemd/campus-ride.service examples/systemd/campus-ride-alert@.service /etc/systemd/system/"
  step "sudo systemctl daemon-reload"
  step "sudo systemctl enable --now campus-ride"
  [ -e /etc/systemd/system/multi-user.target.wants/campus-ride.service ] || fail "not enabled"
  mkdir -p /etc/systemd/journald.conf.d
  sed -n '/^\[Journal\]/,/^```/p' "$document" | grep -v '```' >/etc/systemd/journald.conf.d/90-days.conf
  systemd-analyze cat-config systemd/journald.conf | grep -x MaxRetentionSec=90day
  start_site
  install -m 644 "$(find /var/lib /root -path '*pki/authorities/local/root.crt' -print -quit)" /etc/ca.crt
  wait_for answers $site/livez
  answers $site/healthz && echo

  say "The machine itself"
  step "sudo cp examples/nftables.conf /etc/nftables.conf && sudo systemctl enable --now nftables"
  if nft -f /etc/nftables.conf; then nft list ruleset | grep dport
  else nft -c -f /etc/nftables.conf || say "this kernel loads no nftables"; fi
  answers -o /dev/null -w '%{http_code} through the firewall\n' $site/

  say "Back up"
  step "sudo cp examples/systemd/campus-ride-copies.* /etc/systemd/system/"
  step "sudo systemctl daemon-reload"
  step "sudo systemctl enable --now campus-ride-copies.timer"
  answers -o /tmp/answer -w '%{http_code} for a form\n' -H "Origin: $site" --data-urlencode email=nadia@campus.example \
    -d reason=privacy-concerns -d confirmation=yes $site/delete-my-account
  (run_unit campus-ride-copies.service)
  sed -i 's|copies@other.your-campus.example:campus-ride-copies/|/root/elsewhere/|' examples/systemd/campus-ride-carry.service
  cp examples/systemd/campus-ride-carry.* /etc/systemd/system/
  git checkout -q examples
  systemctl enable campus-ride-carry.timer
  mkdir /root/elsewhere
  (run_unit campus-ride-carry.service)
  find /root/elsewhere -type f
  for name in /etc/systemd/system/campus-ride*.service; do
    case $name in *alert*) continue ;; *carry*) most=21 ;; *) most=17 ;; esac
    systemd-analyze security --offline=true --threshold=$most "$name" | tail -n 1
  done
  systemd-analyze verify --man=no /etc/systemd/system/campus-ride*.timer
  systemctl --root=/ list-unit-files 'campus-ride*' nftables.service --no-legend
  # Inspects the backup, as a restore on another machine would.
  install -m 600 -o campus-ride /root/backup-key /tmp/backup-key
  install -d -o campus-ride /tmp/copies && cp /root/elsewhere/copies/* /tmp/copies/copy && cp /root/elsewhere/exports/* /tmp/copies/export
  chown -R campus-ride /tmp/copies
  as_site npm run --silent store -- restore /tmp/copies/copy /tmp/copies/export --look --backup-key /tmp/backup-key

  say "Watch it"
  answers $site/healthz && echo
  curl -fsS http://127.0.0.1:9464/metrics | grep '^campus_ride_copy_age'
  wait_for grep -q '^To: .*nadia@campus.example' /tmp/emails
  say "The email for nadia@campus.example arrived"
  as_site npm run --silent requests -- list
  as_site npm run --silent operators -- invite Nadia nadia@campus.example

  say "Update"
  local asset old
  asset=$(answers $site/ | grep -oE '/art/[^"#]+\.svg' | sed -n 1p)
  (cd /root/project && sed -i 's/"version": "[0-9.]*"/"version": "99.0.0"/' package.json &&
    sed -i 's/^hero:/hero:\n  headline: "The updated hill"/' campus/content/en/landing.yaml &&
    git commit -qam "Update the headline")
  old=$(git rev-parse HEAD)
  step "git pull && npm run build" "git pull=git pull --quiet" 2>&1 | tail -n 2
  answers -o /dev/null -w "%{http_code} for $asset from the server of the former build\n" "$site$asset"
  stop_site
  start_site
  wait_for answers $site/livez
  [[ $(words_of $site/) == *"The updated hill"* ]] || fail "the update is not served"
  answers -o /dev/null -w "%{http_code} for $asset from the new server\n" "$site$asset"

  say "Go back"
  git checkout -q "$old"
  step "npm run build -- --back"
  ls -d .builds/build.*
  stop_site
  start_site
  wait_for answers $site/livez
  [[ $(words_of $site/) != *"The updated hill"* ]] || fail "the older version is not served"
  answers $site/healthz && echo
  as_site npm run --silent requests -- list
  stop_site
  say "The evening is over: everything worked"
}

if [ "${2:-}" = install ]; then install_all; else serve; fi
