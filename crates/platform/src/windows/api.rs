//! Safe functions for system calls without a safe interface in other crates.

#![expect(
    unsafe_code,
    reason = "these calls take raw handles and pointers; every pointer is to a local variable"
)]

use std::io;
use std::mem::size_of;
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::io::{
    AsRawHandle as _, BorrowedHandle, FromRawHandle as _, OwnedHandle, RawHandle,
};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_INVALID_PARAMETER, ERROR_LOCK_VIOLATION, ERROR_SHARING_VIOLATION,
    FILETIME, INVALID_HANDLE_VALUE, LocalFree, WAIT_OBJECT_0,
};
use windows_sys::Win32::Security::Authorization::{
    ConvertSecurityDescriptorToStringSecurityDescriptorW,
    ConvertStringSecurityDescriptorToSecurityDescriptorW, GetNamedSecurityInfoW, SDDL_REVISION_1,
    SE_FILE_OBJECT,
};
use windows_sys::Win32::Security::{
    DACL_SECURITY_INFORMATION, PROTECTED_DACL_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR,
    SetFileSecurityW,
};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_FLAG_BACKUP_SEMANTICS, FILE_ID_INFO, FileIdInfo,
    GetFileInformationByHandle, GetFileInformationByHandleEx,
};
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_LOGOFF_EVENT,
    ENABLE_VIRTUAL_TERMINAL_PROCESSING, GenerateConsoleCtrlEvent, GetConsoleMode,
    GetConsoleScreenBufferInfo, GetStdHandle, STD_ERROR_HANDLE, STD_OUTPUT_HANDLE,
    SetConsoleCtrlHandler, SetConsoleMode,
};
use windows_sys::Win32::System::Diagnostics::Debug::{
    SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SetErrorMode,
};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_AFFINITY,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation, QueryInformationJobObject,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::ProcessStatus::{GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::RemoteDesktop::ProcessIdToSessionId;
use windows_sys::Win32::System::SystemInformation::{
    GetLogicalProcessorInformation, GetTickCount64, GlobalMemoryStatusEx, MEMORYSTATUSEX,
    RelationCache, RelationNumaNode, RelationProcessorCore, SYSTEM_LOGICAL_PROCESSOR_INFORMATION,
};
use windows_sys::Win32::System::Threading::{
    ABOVE_NORMAL_PRIORITY_CLASS, BELOW_NORMAL_PRIORITY_CLASS, CREATE_NEW_PROCESS_GROUP,
    CREATE_NO_WINDOW, CREATE_SUSPENDED, GetCurrentProcess, GetCurrentThread, GetPriorityClass,
    GetProcessAffinityMask, GetProcessTimes, GetThreadTimes, NORMAL_PRIORITY_CLASS, OpenProcess,
    OpenThread, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SYNCHRONIZE, ResumeThread,
    SetPriorityClass, SetThreadAffinityMask, THREAD_SUSPEND_RESUME, TerminateProcess,
    WaitForSingleObject,
};
use windows_sys::core::BOOL;

use crate::shared::Priority;

/// Flag of a new process whose first thread waits for [`resume`].
pub(super) const SUSPENDED: u32 = CREATE_SUSPENDED;
/// Flag of a new process without a console, and so without its events.
pub(super) const NO_WINDOW: u32 = CREATE_NO_WINDOW;
/// Flag of a new process that receives Ctrl-Break, but not Ctrl-C.
pub(super) const NEW_GROUP: u32 = CREATE_NEW_PROCESS_GROUP;
/// Flag to open folders.
pub(super) const BACKUP_SEMANTICS: u32 = FILE_FLAG_BACKUP_SEMANTICS;

/// Exit code of killed processes.
const KILLED: u32 = 1;
/// Maximum length of the list of a job's processes.
const LISTED: usize = 1024;
/// Access for the owner alone, without entries inherited from the folder.
const OWNER_ONLY: &str = "D:P(A;;FA;;;OW)";

fn ok(result: BOOL) -> io::Result<()> {
    match result {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn owned(handle: RawHandle) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the caller has just received the handle from the system.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

fn size<T>() -> u32 {
    size_of::<T>() as u32
}

fn wide(text: impl Iterator<Item = u16>) -> Vec<u16> {
    text.chain([0]).collect()
}

/// 100-nanosecond intervals.
fn ticks(time: FILETIME) -> u64 {
    u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
}

/// A job object. Dropping it ends its processes.
#[derive(Debug)]
pub(super) struct Job(OwnedHandle);

impl Job {
    /// Creates a job; its processes use only the processors of the mask, if there is one.
    pub(super) fn new(processors: Option<usize>) -> io::Result<Self> {
        // SAFETY: both pointers may be null.
        let job = Self(owned(unsafe { CreateJobObjectW(null(), null()) })?);
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        if let Some(mask) = processors {
            limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_AFFINITY;
            limits.BasicLimitInformation.Affinity = mask;
        }
        // SAFETY: the size is that of the structure.
        let set = unsafe {
            SetInformationJobObject(
                job.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(),
            )
        };
        ok(set).map(|()| job)
    }

    /// Adds a process; its later children belong to the job too.
    pub(super) fn assign(&self, process: BorrowedHandle<'_>) -> io::Result<()> {
        // SAFETY: both handles are open.
        ok(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle()) })
    }

    /// Adds this process.
    pub(super) fn assign_self(&self) -> io::Result<()> {
        // SAFETY: the handle of this process is always valid.
        ok(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), GetCurrentProcess()) })
    }

    /// Kills all processes; does nothing to an empty job.
    pub(super) fn terminate(&self) {
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), KILLED) };
    }

    /// The numbers of the running processes; none if the system does not report them.
    pub(super) fn members(&self) -> Vec<u32> {
        /// `JOBOBJECT_BASIC_PROCESS_ID_LIST` with room for more than one.
        #[repr(C)]
        struct List {
            assigned: u32,
            listed: u32,
            ids: [usize; LISTED],
        }
        let mut list = List {
            assigned: 0,
            listed: 0,
            ids: [0; LISTED],
        };
        // SAFETY: the size is that of the structure.
        unsafe {
            QueryInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectBasicProcessIdList,
                (&raw mut list).cast(),
                size::<List>(),
                null_mut(),
            )
        };
        let ids = &list.ids[..LISTED.min(list.listed as usize)];
        ids.iter().map(|&id| id as u32).collect()
    }
}

/// Resumes a suspended process. Ignores threads that have ended or already run: virus scanners start
/// threads in new processes.
pub(super) fn resume(process: u32) -> io::Result<()> {
    // SAFETY: a snapshot of all threads takes no pointer.
    let snapshot = owned(unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) })?;
    let mut entry = THREADENTRY32 {
        dwSize: size::<THREADENTRY32>(),
        ..THREADENTRY32::default()
    };
    let mut is_resumed = false;
    // SAFETY: the entry knows its size.
    let mut more = unsafe { Thread32First(snapshot.as_raw_handle(), &raw mut entry) };
    while more != 0 {
        if entry.th32OwnerProcessID == process {
            // SAFETY: any number is allowed.
            let thread = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID) };
            if let Ok(thread) = owned(thread) {
                // SAFETY: the handle is open. The result is the number of earlier suspensions.
                let before = unsafe { ResumeThread(thread.as_raw_handle()) };
                is_resumed |= before != 0 && before != u32::MAX;
            }
        }
        // SAFETY: as for the first.
        more = unsafe { Thread32Next(snapshot.as_raw_handle(), &raw mut entry) };
    }
    let refusal = || io::Error::other("cannot resume a thread of the new process");
    is_resumed.then_some(()).ok_or_else(refusal)
}

/// Suppresses the dialogs for crashes and missing libraries in this process and its later children:
/// behind a dialog, a crashed engine would wait for the user.
pub(super) fn hide_error_dialogs() {
    // SAFETY: takes no pointer.
    unsafe { SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX) };
}

/// A process, running or ended.
pub(super) struct Process(OwnedHandle);

impl Process {
    pub(super) fn open(id: u32) -> io::Result<Self> {
        let rights = PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_SYNCHRONIZE;
        // SAFETY: any number is allowed.
        owned(unsafe { OpenProcess(rights, 0, id) }).map(Self)
    }

    /// The start time in intervals of 100 nanoseconds since 1601.
    pub(super) fn start_time(&self) -> Option<u64> {
        let mut times = [FILETIME::default(); 4];
        let [created, exited, kernel, user] = &mut times;
        // SAFETY: the handle is open.
        ok(unsafe { GetProcessTimes(self.0.as_raw_handle(), created, exited, kernel, user) })
            .ok()?;
        Some(ticks(times[0]))
    }

    pub(super) fn has_ended(&self) -> bool {
        // SAFETY: the handle is open.
        unsafe { WaitForSingleObject(self.0.as_raw_handle(), 0) == WAIT_OBJECT_0 }
    }

    pub(super) fn resident_bytes(&self) -> Option<u64> {
        let mut memory = PROCESS_MEMORY_COUNTERS::default();
        let size = size::<PROCESS_MEMORY_COUNTERS>();
        // SAFETY: the size is that of the structure.
        ok(unsafe { GetProcessMemoryInfo(self.0.as_raw_handle(), &raw mut memory, size) }).ok()?;
        Some(memory.WorkingSetSize as u64)
    }
}

/// Returns whether this error of [`Process::open`] means that the process does not exist.
pub(super) fn means_no_process(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_INVALID_PARAMETER as i32)
}

/// Returns whether the error may mean that another program uses the file.
pub(super) fn may_be_in_use(error: &io::Error) -> bool {
    let errors = [
        ERROR_ACCESS_DENIED,
        ERROR_SHARING_VIOLATION,
        ERROR_LOCK_VIOLATION,
    ];
    errors
        .iter()
        .any(|&it| error.raw_os_error() == Some(it as i32))
}

/// Sends Ctrl-Break to a process that was started with [`NEW_GROUP`].
pub(super) fn send_break(process: u32) {
    // SAFETY: takes no pointer.
    unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, process) };
}

/// Ends this process at once.
pub(super) fn exit(code: i32) -> ! {
    // SAFETY: the handle of this process is always valid.
    unsafe { TerminateProcess(GetCurrentProcess(), code as u32) };
    std::process::abort()
}

/// An event of the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConsoleEvent {
    CtrlC,
    CtrlBreak,
    /// The console closes, the user logs off, or the machine shuts down.
    End,
}

/// Calls `handler` in a thread of the system for every event; replaces an earlier handler. Events no
/// longer end the process, but the system ends it five seconds after [`ConsoleEvent::End`].
pub(super) fn handle_console_events(handler: fn(ConsoleEvent)) -> io::Result<()> {
    static HANDLER: Mutex<fn(ConsoleEvent)> = Mutex::new(|_| ());
    extern "system" fn handle(event: u32) -> BOOL {
        let event = match event {
            CTRL_C_EVENT => ConsoleEvent::CtrlC,
            CTRL_BREAK_EVENT => ConsoleEvent::CtrlBreak,
            // The system sends this event to all services when any user logs off.
            CTRL_LOGOFF_EVENT if is_service() => return 1,
            _ => ConsoleEvent::End,
        };
        let handler = *HANDLER.lock().unwrap_or_else(PoisonError::into_inner);
        handler(event);
        if event == ConsoleEvent::End {
            // The system ends the process when this thread returns.
            loop {
                thread::park();
            }
        }
        1
    }
    *HANDLER.lock().unwrap_or_else(PoisonError::into_inner) = handler;
    // SAFETY: the function has the signature that the system expects, and captures nothing.
    ok(unsafe { SetConsoleCtrlHandler(Some(handle), 1) })
}

/// Returns whether this process runs in the session of services; scheduled tasks and SSH use it too.
fn is_service() -> bool {
    let mut session = u32::MAX;
    // SAFETY: the pointer is to a local variable.
    unsafe { ProcessIdToSessionId(std::process::id(), &raw mut session) != 0 && session == 0 }
}

/// Columns of the console at standard error, if it is one.
pub(super) fn console_columns() -> Option<usize> {
    let mut info = CONSOLE_SCREEN_BUFFER_INFO::default();
    let mut streams = [STD_OUTPUT_HANDLE, STD_ERROR_HANDLE].into_iter();
    // SAFETY: the handle may be any, and the pointer is to a local variable.
    streams.find(|&stream| {
        ok(unsafe { GetConsoleScreenBufferInfo(GetStdHandle(stream), &raw mut info) }).is_ok()
    })?;
    usize::try_from(info.srWindow.Right - info.srWindow.Left + 1).ok()
}

/// Makes the console at standard output and error interpret escape sequences; returns false if it
/// cannot.
pub(super) fn enable_escape_sequences() -> bool {
    let streams = [STD_OUTPUT_HANDLE, STD_ERROR_HANDLE];
    streams.into_iter().all(|stream| {
        let mut mode = 0;
        // SAFETY: the handle may be any, and the pointer is to a local variable.
        unsafe {
            let console = GetStdHandle(stream);
            GetConsoleMode(console, &raw mut mode) == 0
                || SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0
        }
    })
}

/// Free memory of the machine.
pub(super) fn available_bytes() -> Option<u64> {
    memory().map(|memory| memory.ullAvailPhys)
}

/// All memory of the machine.
pub(super) fn total_bytes() -> Option<u64> {
    memory().map(|memory| memory.ullTotalPhys)
}

fn memory() -> Option<MEMORYSTATUSEX> {
    let mut memory = MEMORYSTATUSEX {
        dwLength: size::<MEMORYSTATUSEX>(),
        ..MEMORYSTATUSEX::default()
    };
    // SAFETY: the structure knows its size.
    ok(unsafe { GlobalMemoryStatusEx(&raw mut memory) }).ok()?;
    Some(memory)
}

/// Time since the start of the machine.
pub(super) fn uptime() -> Duration {
    // SAFETY: the function has no conditions.
    Duration::from_millis(unsafe { GetTickCount64() })
}

/// Processor time of the calling thread.
pub(super) fn thread_time() -> Option<Duration> {
    let mut times = [FILETIME::default(); 4];
    let [created, exited, kernel, user] = &mut times;
    // SAFETY: the handle of this thread is always valid.
    ok(unsafe { GetThreadTimes(GetCurrentThread(), created, exited, kernel, user) }).ok()?;
    Some(Duration::from_nanos(
        100 * (ticks(times[2]) + ticks(times[3])),
    ))
}

/// The processors that this process may use, as a mask.
pub(super) fn process_affinity() -> io::Result<usize> {
    let (mut own, mut all) = (0, 0);
    // SAFETY: the handle of this process is always valid.
    ok(unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut own, &raw mut all) })?;
    Ok(own)
}

/// Sets the scheduling priority of this process.
pub(super) fn set_priority(priority: Priority) -> io::Result<()> {
    let class = match priority {
        Priority::Low => BELOW_NORMAL_PRIORITY_CLASS,
        Priority::Normal => NORMAL_PRIORITY_CLASS,
        Priority::High => ABOVE_NORMAL_PRIORITY_CLASS,
    };
    // SAFETY: the handle of this process is always valid.
    ok(unsafe { SetPriorityClass(GetCurrentProcess(), class) })
}

/// Flag of a new process with the priority of this one: without it, only low priorities are inherited.
pub(super) fn own_priority() -> u32 {
    // SAFETY: the handle of this process is always valid.
    unsafe { GetPriorityClass(GetCurrentProcess()) }
}

/// Binds the calling thread to the processors of a mask.
pub(super) fn bind_thread(mask: usize) -> io::Result<()> {
    // SAFETY: the handle of this thread is always valid.
    match unsafe { SetThreadAffinityMask(GetCurrentThread(), mask) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// The kind of a [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    Core,
    /// A cache of the third level.
    Cache,
    /// A NUMA node.
    Node,
}

/// A part of the machine.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// Its processors.
    pub(super) mask: usize,
    /// The number of the node; for other kinds, the number of the first processor.
    pub(super) number: usize,
}

/// The cores, caches and nodes of this process's processor group; none if the system does not report
/// them.
pub(super) fn parts() -> Vec<Part> {
    type Entry = SYSTEM_LOGICAL_PROCESSOR_INFORMATION;
    let mut bytes = 0;
    // SAFETY: with a null pointer the call returns the needed size.
    unsafe { GetLogicalProcessorInformation(null_mut(), &raw mut bytes) };
    let mut entries = vec![Entry::default(); bytes as usize / size_of::<Entry>()];
    // SAFETY: the first call returned the size of the buffer.
    let read = ok(unsafe { GetLogicalProcessorInformation(entries.as_mut_ptr(), &raw mut bytes) });
    let entries = entries.into_iter().filter(|_| read.is_ok());
    let parts = entries.filter_map(|entry| {
        let mask = entry.ProcessorMask;
        let first = mask.trailing_zeros() as usize;
        #[expect(non_upper_case_globals, reason = "constants of the system")]
        let (kind, number) = match entry.Relationship {
            RelationProcessorCore => (PartKind::Core, first),
            // SAFETY: the relationship says which field of the union is set.
            RelationCache if unsafe { entry.Anonymous.Cache.Level } == 3 => {
                (PartKind::Cache, first)
            }
            RelationNumaNode => {
                // SAFETY: as for the cache.
                let node = unsafe { entry.Anonymous.NumaNode.NodeNumber };
                (PartKind::Node, node as usize)
            }
            _ => return None,
        };
        Some(Part { kind, mask, number })
    });
    parts.collect()
}

/// The volume of an open file, the file's number there, and the number of its names.
pub(super) fn identity(file: BorrowedHandle<'_>) -> io::Result<(u64, u128, u64)> {
    let mut found = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open.
    ok(unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut found) })?;
    let number = u64::from(found.nFileIndexHigh) << 32 | u64::from(found.nFileIndexLow);
    let (volume, links) = (
        found.dwVolumeSerialNumber.into(),
        found.nNumberOfLinks.into(),
    );
    let mut whole = FILE_ID_INFO::default();
    // SAFETY: the handle is open, and the size is that of the structure.
    let is_known = unsafe {
        GetFileInformationByHandleEx(
            file.as_raw_handle(),
            FileIdInfo,
            (&raw mut whole).cast(),
            size::<FILE_ID_INFO>(),
        )
    };
    // On ReFS the 64-bit number is not unique; FAT has no other.
    if is_known != 0 {
        let number = u128::from_le_bytes(whole.FileId.Identifier);
        return Ok((whole.VolumeSerialNumber, number, links));
    }
    Ok((volume, number.into(), links))
}

/// A security descriptor that the system has allocated.
struct Descriptor(PSECURITY_DESCRIPTOR);

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: the system allocated it with `LocalAlloc`, as its documentation says.
        unsafe { LocalFree(self.0) };
    }
}

/// Lets only the owner access a file.
pub(super) fn make_private(path: &Path) -> io::Result<()> {
    let (path, text) = (
        wide(path.as_os_str().encode_wide()),
        wide(OWNER_ONLY.encode_utf16()),
    );
    let mut descriptor = null_mut();
    // SAFETY: the text ends with a zero.
    ok(unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            text.as_ptr(),
            SDDL_REVISION_1,
            &raw mut descriptor,
            null_mut(),
        )
    })?;
    let descriptor = Descriptor(descriptor);
    let parts = DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION;
    // SAFETY: the path ends with a zero, and the descriptor is valid.
    ok(unsafe { SetFileSecurityW(path.as_ptr(), parts, descriptor.0) })
}

/// The access list of a file, in the security descriptor definition language (SDDL).
pub(super) fn access_list(path: &Path) -> io::Result<String> {
    let path = wide(path.as_os_str().encode_wide());
    let mut descriptor = null_mut();
    // SAFETY: the path ends with a zero; the pointers for other parts may be null.
    let error = unsafe {
        GetNamedSecurityInfoW(
            path.as_ptr(),
            SE_FILE_OBJECT,
            DACL_SECURITY_INFORMATION,
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            &raw mut descriptor,
        )
    };
    if error != 0 {
        return Err(io::Error::from_raw_os_error(error as i32));
    }
    let descriptor = Descriptor(descriptor);
    let (mut text, mut length) = (null_mut(), 0);
    // SAFETY: the descriptor is valid.
    ok(unsafe {
        ConvertSecurityDescriptorToStringSecurityDescriptorW(
            descriptor.0,
            SDDL_REVISION_1,
            DACL_SECURITY_INFORMATION,
            &raw mut text,
            &raw mut length,
        )
    })?;
    // SAFETY: the system has written `length` units, the last of which is zero.
    let units = unsafe { std::slice::from_raw_parts(text, length as usize) };
    let list = String::from_utf16_lossy(units);
    drop(Descriptor(text.cast()));
    Ok(list.trim_end_matches('\0').to_owned())
}
