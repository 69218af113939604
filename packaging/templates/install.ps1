# Installs Leitai on Windows for this user, without administrator rights.
#
#   LEITAI_INSTALL_DIR   folder of the programs, ~\.local\bin by default
#   LEITAI_VERSION       version, @VERSION@ by default
#   LEITAI_RELEASES      address of the releases, with archives in the folder vVERSION
#
# Refuses an archive whose checksum differs from SHA256SUMS of the release.

& {
    $ErrorActionPreference = 'Stop'
    # PowerShell 5 takes longer to draw the progress of a download than to download.
    $ProgressPreference = 'SilentlyContinue'
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

    $version = if ($env:LEITAI_VERSION) { $env:LEITAI_VERSION } else { '@VERSION@' }
    $releases = if ($env:LEITAI_RELEASES) { $env:LEITAI_RELEASES } else { '@RELEASES@' }
    $folder = if ($env:LEITAI_INSTALL_DIR) { $env:LEITAI_INSTALL_DIR } else { Join-Path $HOME '.local\bin' }
    # Windows on ARM runs programs for x86-64.
    if (-not [Environment]::Is64BitOperatingSystem) {
        throw 'Leitai needs a 64-bit Windows'
    }
    $name = '@WINDOWS@'

    $unpacked = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
    New-Item -ItemType Directory -Path $unpacked | Out-Null
    try {
        $archive = Join-Path $unpacked $name
        $sums = Join-Path $unpacked 'SHA256SUMS'
        Invoke-WebRequest -UseBasicParsing -Uri "$releases/v$version/$name" -OutFile $archive
        Invoke-WebRequest -UseBasicParsing -Uri "$releases/v$version/SHA256SUMS" -OutFile $sums
        $line = Get-Content $sums | Where-Object { ($_ -split '  ', 2)[1] -eq $name }
        if (-not $line) {
            throw "SHA256SUMS of $version does not list $name"
        }
        $expected = ($line -split '  ', 2)[0]
        if ((Get-FileHash -Algorithm SHA256 -Path $archive).Hash -ne $expected) {
            throw "$name does not have its checksum; try again, and report it if it happens again"
        }
        Expand-Archive -Path $archive -DestinationPath $unpacked
        New-Item -ItemType Directory -Force -Path $folder | Out-Null
        Get-ChildItem -Path $unpacked -Recurse -Filter '*.exe' | Copy-Item -Destination $folder -Force
        $installed = & (Join-Path $folder 'leitai.exe') --version
        if ($LASTEXITCODE -ne 0) {
            throw "$name does not run on this machine"
        }
        Write-Output "installed $installed in $folder"
    } finally {
        Remove-Item -Recurse -Force -Path $unpacked
    }
    if (($env:Path -split ';') -notcontains $folder) {
        Write-Output "$folder is not in PATH: add it for new terminals with"
        Write-Output "    [Environment]::SetEnvironmentVariable('Path', `"$folder;`" + [Environment]::GetEnvironmentVariable('Path', 'User'), 'User')"
    }
}
